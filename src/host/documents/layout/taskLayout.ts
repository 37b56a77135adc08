/** A task as a document. */
import * as vscode from 'vscode';
import { largest } from '../../../shared/extremes.ts';
import type { FamilyScore } from '../../../shared/journal/events.ts';
import type { Reattempt } from '../../../shared/records/reattempt.ts';
import { personOf } from '../../../shared/records/play.ts';
import type { Provenance, Task, ToolSpec } from '../../../shared/records/task.ts';
import type { Trace } from '../../../shared/records/trace.ts';
import type { ToldHealth } from '../../../features/health/host/runHealths.ts';
import { measured } from '../../../shared/text/figures/intervals.ts';
import { count, number, rate } from '../../../shared/text/figures/numbers.ts';
import { percent } from '../../../shared/text/figures/shares.ts';
import { groupOf, type Band } from '../../trees/runs/familyGroups.ts';
import { groupWord, parts } from '../../trees/words.ts';
import { rateOf } from '../attemptMarks.ts';
import { writeHealth, writeReattempts } from '../../../features/health/host/healthLayout.ts';
import { writeLines, writeSection } from './layout.ts';
import { columns, marked, setIn, written, type Line } from './line.ts';
import { answerOf } from './messages.ts';
import { writeMessages, writeTools } from './writtenMessages.ts';
import { Page, type LaidOut } from './page.ts';
import { newestWord, rewardName, type NewVerdicts } from './rescoredWords.ts';
import type { Learning } from '../../../runs/journal/agentLearning.ts';
import { computeReward, groupIn } from '../../../runs/records/rewardComputation.ts';
import { toolCalls } from './toolCalls.ts';
import { judgedWord, tokenWords } from './verdictWords.ts';

export interface TaskDocument {
  task: Task;
  /** Why people took it out of the pools; null while it is in. */
  excluded: string | null;
  /** Those that an attempt may call. */
  tools: readonly ToolSpec[];
  /** The epoch that is shown. */
  epoch: number;
  /** The one in which its attempts count: the next, or this one with attempts of the one before, where they were late. */
  counted: number;
  /** The family it was scored in, and the band of that epoch; null when it was not. */
  scored: { family: FamilyScore; band: Band } | null;
  /** Those of the epoch, in the order of their ids. */
  attempts: readonly Trace[];
  /** Verdicts that override the recorded ones. */
  rescored: NewVerdicts;
  /** Every epoch in which it was attempted. */
  others: readonly number[];
  /** How the agent's updates treat an attempt. */
  learningOf: (attempt: Trace) => Learning;
  health: ToldHealth;
  /** Attempts at it that users requested. */
  reattempts: readonly Reattempt[];
  /** Those of people. */
  plays: readonly Trace[];
  /** Name of the run. */
  run: string;
}

export function layTask(document: TaskDocument): LaidOut {
  const { task, tools, epoch } = document;
  const page = new Page();
  const name = vscode.l10n.t('Task {0}', task.id);
  page.part({ kind: 'document', title: name, detail: task.plan }, () => page.write(name, facts(document)));
  writeLines(page, vscode.l10n.t('Success rate in epoch {0}', count(epoch)), rates(document));
  writeHealth(page, document.health);
  writeSection(page, vscode.l10n.t('Prompt'), () => writeMessages(page, task.prompt, 'message'));
  if (tools.length > 0) writeSection(page, vscode.l10n.t('Tools'), () => writeTools(page, tools));
  const gold = task.gold ?? '';
  writeLines(page, vscode.l10n.t('Gold'), gold === '' ? [] : setIn({ text: gold, marks: toolCalls(gold, tools) }));
  writeAttempts(page, document);
  writeReattempts(page, document.reattempts);
  writePlays(page, document.plays);
  writeLines(page, vscode.l10n.t('Evaluation'), setIn(JSON.stringify(task.evaluation, null, 2)));
  const { generation } = task;
  const context = generation?.context ?? [];
  if (context.length > 0) {
    writeSection(page, vscode.l10n.t('How the environment policy was asked'), () => writeMessages(page, context, null));
  }
  writeLines(page, vscode.l10n.t('What it wrote'), generation === undefined ? [] : setIn(generation.text));
  return page.done();
}

function facts({ task, epoch, run, excluded }: TaskDocument): Line[] {
  const numbers = Object.entries(task.complexity).map(([name, value]) => `${name} ${number(value)}`);
  return columns([
    [vscode.l10n.t('origin'), originOf(task)],
    [vscode.l10n.t('made by'), task.provenance === undefined ? null : madeBy(task.provenance)],
    [vscode.l10n.t('status'), statusOf(task, excluded)],
    [vscode.l10n.t('family'), marked(task.family, { kind: 'family', family: task.family, epoch })],
    [
      vscode.l10n.t('seed task'),
      task.seed === null ? null : marked(task.seed, { kind: 'task', task: task.seed, epoch }),
    ],
    [vscode.l10n.t('plan'), task.plan],
    [vscode.l10n.t('complexity'), numbers.join(' · ')],
    [vscode.l10n.t('run'), marked(run, { kind: 'run' })],
  ]);
}

function originOf({ origin, epoch, generation }: Task): string {
  switch (origin) {
    case 'generated':
      return generation === undefined
        ? vscode.l10n.t('generated in epoch {0}', count(epoch))
        : vscode.l10n.t('generated in epoch {0} by {1}', count(epoch), generation.version);
    case 'base':
      return vscode.l10n.t('base task');
    case 'offline':
      return vscode.l10n.t('made elsewhere');
    case 'validation':
      return vscode.l10n.t('held out for validation');
  }
}

/** `big at openai https://example.org/v1 · environment@0 · run 20261121 · p̂ from 0.1 to 0.9 over 8 attempts` */
function madeBy({ endpoint, model, version, run, filter }: Provenance): string {
  const from = run === undefined ? null : vscode.l10n.t('run {0}', run);
  return parts(vscode.l10n.t('{0} at {1}', model, endpoint), version, from, filter);
}

function statusOf({ origin, status, cause, note }: Task, excluded: string | null): string {
  if (excluded !== null) return vscode.l10n.t('excluded by hand: {0}', excluded);
  if (status === 'rejected') return parts(vscode.l10n.t('rejected: {0}', cause ?? '–'), note ?? null);
  return origin === 'generated' ? vscode.l10n.t('accepted') : '';
}

function rates({ task, epoch, scored, attempts, rescored }: TaskDocument): Line[] {
  const own = rateOf(attempts.map(({ verdict }) => verdict));
  const solved = ({ successes, attempts: tried }: { successes: number; attempts: number }): string =>
    vscode.l10n.t('{0}/{1} solved', count(successes), count(tried));
  const newest = rateOf(attempts.map(({ id, verdict }) => rescored.get(id)?.verdict ?? verdict));
  const by = [...new Set([...rescored.values()].map(rewardName))];
  const measurement: [string, string | null][] = [
    [vscode.l10n.t('task'), parts(measured(own), solved(own))],
    // Beside it: training, the filter and R_env used the recorded one.
    [
      vscode.l10n.t('rescored'),
      by.length === 0 ? null : parts(measured(newest), solved(newest), vscode.l10n.t('by {0}', by.join(', '))),
    ],
  ];
  if (scored === null) return attempts.length === 0 ? [] : columns(measurement);
  const { family, band } = scored;
  const share = family.tasks.find(({ id }) => id === task.id);
  const group = groupWord(groupOf(family.successRate.p, band)).toLowerCase();
  return columns([
    ...measurement,
    [vscode.l10n.t('family'), parts(measured(family.successRate), solved(family.successRate), group)],
    [
      vscode.l10n.t('weight'),
      family.kept > 0 && share !== undefined
        ? vscode.l10n.t('{0} of what the environment learned from in epoch {1}', percent(share.weight), count(epoch))
        : vscode.l10n.t('none: left out by the difficulty filter'),
    ],
    ['R_env', share === undefined ? null : rate(share.environmentReward)],
  ]);
}

/** The end of a trace's id: the title contains epoch and task. */
export const attemptName = (trace: string): string => trace.split('/').at(-1) ?? trace;

function writeAttempts(page: Page, { epoch, counted, attempts, others, learningOf, rescored }: TaskDocument): void {
  const made = new Set([epoch, ...attempts.map((trace) => trace.epoch)]);
  const elsewhere = others.filter((other) => !made.has(other));
  if (attempts.length === 0 && elsewhere.length === 0) return;
  const rows = attempts.map((trace) => ({
    trace,
    id: attemptName(trace.id),
    judged: newestWord(trace, rescored),
    reward: rate(trace.verdict.reward),
    tokens: tokenWords(trace),
    answer: answerOf(trace.messages),
  }));
  const widest = (of: (row: (typeof rows)[number]) => string): number =>
    Math.max(0, largest(rows.map((row) => of(row).length)));
  const widths = {
    id: widest(({ id }) => id),
    judged: widest((row) => row.judged),
    tokens: widest((row) => row.tokens),
  };
  writeSection(page, vscode.l10n.t('Attempts in epoch {0}', count(epoch)), () => {
    for (const { trace, id, judged, reward, tokens, answer } of rows) {
      const computation = computeReward(trace, groupIn(attempts, trace), learningOf(trace));
      page.part({ kind: 'attempt', title: id, detail: `${judged} · ${reward}` }, () => {
        const name = marked(
          id,
          { kind: 'trace', trace: trace.id },
          { kind: 'verdict', verdict: rescored.get(trace.id)?.verdict ?? trace.verdict, trace: trace.id },
        );
        page.write(
          written(
            ...[name, ' '.repeat(widths.id - id.length), `   ${judged.padEnd(widths.judged)}   `],
            ...[marked(reward, { kind: 'reward', computation }), `   ${tokens.padStart(widths.tokens)}   ${answer}`],
          ),
        );
      });
    }
    const late = [...made].find((one) => one !== counted && attempts.some((trace) => trace.epoch === one));
    if (late !== undefined) {
      page.write('');
      page.write(
        vscode.l10n.t(
          'Late: attempted in epoch {0}, counted in epoch {1} (rollouts.late).',
          count(late),
          count(counted),
        ),
      );
    }
    if (elsewhere.length > 0) {
      if (rows.length > 0) page.write('');
      page.write(vscode.l10n.t('Also attempted in epoch {0}.', elsewhere.map(count).join(', ')));
    }
  });
}

function writePlays(page: Page, plays: readonly Trace[]): void {
  const rows = plays.map(({ id, version, verdict, messages }): [string, Line] => {
    const judged = marked(judgedWord(verdict), { kind: 'again', trace: id });
    return [personOf(version) ?? '', written(judged, `   ${answerOf(messages)}`)];
  });
  writeLines(page, vscode.l10n.t('Attempted by people'), columns(rows));
}

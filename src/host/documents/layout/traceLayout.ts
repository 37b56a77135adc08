/** A trace as a document. */
import * as vscode from 'vscode';
import { allSaid } from '../../../shared/records/conversations.ts';
import type { NewVerdict } from '../../../runs/rescored/rescoredVerdicts.ts';
import { personOf } from '../../../shared/records/play.ts';
import type { Reattempt } from '../../../shared/records/reattempt.ts';
import type { Task, ToolSpec } from '../../../shared/records/task.ts';
import type { Trace, Verdict } from '../../../shared/records/trace.ts';
import { writeForks } from '../../../features/reattempt/host/forkLayout.ts';
import { moment } from '../../../shared/text/figures/moments.ts';
import { count, number, rate } from '../../../shared/text/figures/numbers.ts';
import { parts } from '../../trees/words.ts';
import { writeLines, writeSection } from './layout.ts';
import { columns, marked, setIn, written, type Line } from './line.ts';
import { writeMessages, writeTools } from './writtenMessages.ts';
import { Page, type LaidOut } from './page.ts';
import type { RewardComputation } from '../../../runs/records/rewardComputation.ts';
import { toolCalls } from './toolCalls.ts';
import { finalAnswer, writeAnswer, writeTurns } from './turns.ts';
import { againstGold, type AgainstGold } from '../againstGold.ts';
import { rescoredWord } from './rescoredWords.ts';
import { endWord, judgedWord, tokenWords } from './verdictWords.ts';
import { inWords } from '../../../shared/journal/recordedWords.ts';

export interface TraceDocument {
  trace: Trace;
  /** Null when it is recorded nowhere. */
  task: Task | null;
  /** Those it may call. */
  tools: readonly ToolSpec[];
  computation: RewardComputation;
  /** The verdict that overrides the recorded one; null for none. */
  rescored: NewVerdict | null;
  /** Attempts that begin with its turns. */
  forks: readonly Reattempt[];
  /** Name of the run. */
  run: string;
}

export function layTrace(document: TraceDocument): LaidOut {
  const { trace, task, tools, rescored } = document;
  const verdict = rescored?.verdict ?? trace.verdict;
  const page = new Page();
  const name = vscode.l10n.t('Trace {0}', trace.id);
  const compared = againstGold(task?.gold ?? '', finalAnswer(trace));
  page.part({ kind: 'document', title: name, detail: judgedWord(verdict) }, () => {
    page.write(marked(name, { kind: 'verdict', verdict, trace: trace.id }));
    page.write(facts(document, compared));
  });
  // The answer comes first; the prompt is the same in every attempt.
  const oneTurn = allSaid(trace).length === 1;
  if (oneTurn) writeTurns(page, trace, tools, compared?.inAnswer);
  else writeAnswer(page, trace, tools, compared?.inAnswer);
  const gold = task?.gold ?? '';
  const marks = [...toolCalls(gold, tools), ...(compared?.inGold ?? [])];
  writeLines(page, vscode.l10n.t('Gold'), gold === '' ? [] : setIn({ text: gold, marks }));
  const folded = { folded: true };
  const posed = (): void => {
    const prompt = trace.asked ?? task?.prompt;
    if (prompt === undefined) page.write(vscode.l10n.t('The task is not recorded in this run.'));
    else writeMessages(page, prompt, 'message');
  };
  writeSection(page, vscode.l10n.t('Prompt'), posed, folded);
  if (tools.length > 0) writeSection(page, vscode.l10n.t('Tools'), () => writeTools(page, tools), folded);
  if (!oneTurn) writeTurns(page, trace, tools);
  writeForks(page, trace, document.forks);
  writeLines(page, vscode.l10n.t('Evaluation'), evaluation(document));
  writeLines(page, vscode.l10n.t('Rescored'), rescored === null ? [] : rescoring(rescored));
  const { output } = trace.verdict;
  writeLines(page, vscode.l10n.t('Printed by the Reward'), output === undefined ? [] : setIn(output.trimEnd()));
  return page.done();
}

function facts({ trace, task, computation, rescored, run }: TraceDocument, compared: AgainstGold | null): Line[] {
  const { verdict, purpose, epoch } = trace;
  const purposes: Record<Trace['purpose'], string> = {
    train: vscode.l10n.t('training'),
    validation: vscode.l10n.t('validation'),
    rank: vscode.l10n.t('ranking of seed tasks'),
    benchmark: vscode.l10n.t('a benchmark'),
  };
  const valid = verdict.valid ? null : vscode.l10n.t('not valid, kept out of the agent pool');
  const person = personOf(trace.version);
  const sampled = vscode.l10n.t('{0} in epoch {1}, for {2}', trace.version, count(epoch), purposes[purpose]);
  const length = parts(tokenWords(trace), endWord(trace.stopReason));
  const plan = task?.plan ?? '';
  return columns([
    [
      vscode.l10n.t('verdict'),
      parts(rescoredWord(verdict, rescored), inWords((rescored?.verdict ?? verdict).note ?? '')),
    ],
    [
      vscode.l10n.t('reward'),
      written(marked(rate(verdict.reward), { kind: 'reward', computation }), also(valid), also(newReward(rescored))),
    ],
    [vscode.l10n.t('reward parts'), partsOf(verdict)],
    [vscode.l10n.t('answer'), compared === null ? null : comparedWords(compared)],
    person === null
      ? [vscode.l10n.t('sampled by'), sampled]
      : [
          vscode.l10n.t('written by'),
          vscode.l10n.t('{0}, a person: in no figure, and nothing is trained on it', person),
        ],
    [vscode.l10n.t('length'), person === null ? parts(length, branchCount(trace)) : null],
    [vscode.l10n.t('task'), written(marked(trace.task, { kind: 'task', task: trace.task, epoch }), also(plan))],
    [vscode.l10n.t('family'), marked(trace.family, { kind: 'family', family: trace.family, epoch })],
    [vscode.l10n.t('run'), marked(run, { kind: 'run' })],
  ]);
}

/** How many other conversations a program held; null without any. */
const branchCount = ({ branches = [] }: Trace): string | null =>
  branches.length === 0
    ? null
    : branches.length === 1
      ? vscode.l10n.t('1 branch')
      : vscode.l10n.t('{0} branches', count(branches.length));

/** Learning used the recorded one, which stands first. */
const newReward = (rescored: NewVerdict | null): string | null =>
  rescored === null || rescored.verdict.error !== undefined
    ? null
    : vscode.l10n.t('rescored: {0}', rate(rescored.verdict.reward));

/** The later judge, and its verdict. */
function rescoring({ verdict, by }: NewVerdict): Line[] {
  const own = Object.entries(verdict.parts ?? {});
  return columns([
    [vscode.l10n.t('by'), parts(by.reward.path, vscode.l10n.t('rescoring {0}', by.rescoring))],
    [vscode.l10n.t('applied'), vscode.l10n.t('by {0}, {1}', by.author, moment(by.at))],
    [vscode.l10n.t('verdict'), judgedWord(verdict)],
    [vscode.l10n.t('reward'), verdict.error === undefined ? rate(verdict.reward) : null],
    ...own.map(([name, value]): [string, string] => [name, number(value)]),
    [vscode.l10n.t('note'), inWords(verdict.note ?? '')],
    [vscode.l10n.t('checker'), inWords(verdict.error ?? '')],
  ]);
}

const also = (more: string | null): string => (more === null || more === '' ? '' : ` · ${more}`);

/** The rule of the judgement, and its result. */
function evaluation({ trace: { verdict }, task }: TraceDocument): Line[] {
  const { kind = null, ...rule } = task?.evaluation ?? {};
  const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
  return columns([
    [vscode.l10n.t('rule'), kind],
    ...Object.entries(rule).map(([name, value]): [string, string] => [name, shown(value)]),
    [vscode.l10n.t('verdict'), judgedWord(verdict)],
    [vscode.l10n.t('note'), inWords(verdict.note ?? '')],
    [vscode.l10n.t('checker'), inWords(verdict.error ?? '')],
  ]);
}

/** The scorer's parts of the reward: `calls 0.33 · format 1`. */
const partsOf = ({ parts: own = {} }: Verdict): string =>
  Object.entries(own)
    .map(([name, value]) => `${name} ${number(value)}`)
    .join(' · ');

function comparedWords({ same, missing, extra }: AgainstGold): string {
  if (same) return vscode.l10n.t('word for word the gold');
  const lacks =
    missing === 0
      ? null
      : missing === 1
        ? vscode.l10n.t('1 word of the gold is missing')
        : vscode.l10n.t('{0} words of the gold are missing', count(missing));
  const has =
    extra === 0
      ? null
      : extra === 1
        ? vscode.l10n.t('1 word is not in the gold')
        : vscode.l10n.t('{0} words are not in the gold', count(extra));
  return parts(lacks, has);
}

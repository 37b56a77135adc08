/** Tooltips of the Runs tree's nodes, made on demand. */
import * as vscode from 'vscode';
import { conclude } from '../../../runs/facts/conclusion.ts';
import { outlook } from '../../../runs/facts/timeline/outlook.ts';
import { inForce } from '../../../runs/journal/experimentNow.ts';
import { outlayOf } from '../../../runs/facts/spending.ts';
import { inWords } from '../../../shared/journal/recordedWords.ts';
import { outlayText } from '../../feedback/words.ts';
import { aboutDuration } from '../../../shared/text/figures/durations.ts';
import { measured } from '../../../shared/text/figures/intervals.ts';
import { count, number, rate } from '../../../shared/text/figures/numbers.ts';
import { silenceInFull } from '../../../shared/text/silence.ts';
import { percent } from '../../../shared/text/figures/shares.ts';
import type { RunFacts } from '../../../runs/facts/runFacts.ts';
import { tooltip } from '../tooltip.ts';
import { changeText, inBand, modeWord, momentAndAge, solvedOf, stateWord } from '../words.ts';
import { familiesOf, figuresOf } from './domainFigures.ts';
import type { DomainNode, EpochNode, FamilyNode, RunNode, RunsNode, TaskNode, TraceNode } from './node.ts';
import type { ActiveRun, FollowedRun, RunService } from '../../runs/runs.ts';
import type { RunsModel } from './runsModel.ts';

/** Task texts are shown up to this length. */
const longestText = 600;

export class RunsTooltips {
  readonly #model: RunsModel;
  readonly #service: Pick<RunService, 'active'>;

  constructor(model: RunsModel, service: Pick<RunService, 'active'>) {
    this.#model = model;
    this.#service = service;
  }

  async of(node: RunsNode): Promise<vscode.MarkdownString | string> {
    switch (node.kind) {
      case 'run':
        return this.#run(node);
      case 'problem':
        return this.#model.problem(node.run)?.message ?? '';
      case 'epoch':
        return this.#epoch(node);
      case 'domain':
        return this.#domain(node);
      case 'family':
        return family(node);
      case 'task':
        return this.#task(node);
      case 'trace':
        return trace(node);
      case 'rejected':
        return tooltip(node.task, [
          [vscode.l10n.t('Rejected'), node.record.cause],
          [vscode.l10n.t('Why'), inWords(node.record.note ?? '')],
        ]);
      case 'note':
        return node.error?.message ?? '';
      default:
        return '';
    }
  }

  async #run({ run }: RunNode): Promise<vscode.MarkdownString> {
    const known = this.#model.run(run);
    if (known === undefined) return new vscode.MarkdownString();
    const { head } = known;
    const { followed, facts } = await this.#model.open(run);
    const { parent } = followed.manifest;
    const active = this.#service.active.get(run);
    const experiment = inForce(followed.manifest, followed.state);
    const { summary } = head;
    const sessions = await followed.reader.sessions();
    const last = sessions.at(-1);
    const outlay = outlayOf(followed.state, experiment);
    const why = facts.finished?.note ?? (last !== undefined && 'reason' in last ? last.reason : null);
    return tooltip(
      head.name,
      [
        [
          vscode.l10n.t('State'),
          why === null || why === undefined ? stateWord(head.state) : `${stateWord(head.state)}: ${inWords(why)}`,
        ],
        ...(active?.silences ?? []).map((silence): [string, string] => [
          vscode.l10n.t('No answer'),
          silenceInFull(silence),
        ]),
        [vscode.l10n.t('Epoch'), `${count(head.current)}/${count(head.epochs)}`],
        [vscode.l10n.t('Time left'), timeLeft(followed, active)],
        [vscode.l10n.t('Cost'), outlay && outlayText(outlay, followed.state.finished === null)],
        [vscode.l10n.t('Success rate'), summary && `${measured(summary.successRate)} · ${inBand(summary.inBand)}`],
        [vscode.l10n.t('Validation'), validation(facts)],
        [vscode.l10n.t('Mode'), modeWord(head.mode)],
        [vscode.l10n.t('Preset'), experiment.preset],
        [vscode.l10n.t('Seed'), String(experiment.seed)],
        [vscode.l10n.t('Started'), momentAndAge(head.startedAt, Date.now())],
        [vscode.l10n.t('Branched from'), parent && vscode.l10n.t('{0}, epoch {1}', parent.run, count(parent.epoch))],
        [vscode.l10n.t('Folder'), head.id],
      ],
      head.state === 'running' ? [] : conclude(facts.light).sentences,
    );
  }

  async #epoch(node: EpochNode): Promise<vscode.MarkdownString> {
    const facts = await this.#model.factsOf(node);
    if (facts === undefined) return new vscode.MarkdownString();
    const { curriculum, scored, summary, generated } = facts;
    const rejected = Object.entries(generated?.rejected ?? {})
      .map(([cause, number]) => `${cause} ${count(number)}`)
      .join(', ');
    return tooltip(vscode.l10n.t('Epoch {0}', count(node.epoch)), [
      [vscode.l10n.t('Success rate'), scored && `${measured(scored.successRate)} · ${inBand(scored.inBand)}`],
      [vscode.l10n.t('Solved'), scored && solvedOf(scored.successRate)],
      [
        vscode.l10n.t('Base tasks'),
        scored && scored.baseSuccessRate.attempts > 0 ? measured(scored.baseSuccessRate) : null,
      ],
      [vscode.l10n.t('R_env'), scored && rate(scored.environmentReward)],
      [vscode.l10n.t('Families kept'), scored && `${count(scored.familiesKept)}/${count(facts.families)}`],
      [vscode.l10n.t('Effective sample size'), scored && number(scored.effectiveSampleSize)],
      [vscode.l10n.t('Environment skipped'), facts.environmentSkipped && inWords(facts.environmentSkipped)],
      [vscode.l10n.t('Agent skipped'), facts.agentSkipped && inWords(facts.agentSkipped)],
      [vscode.l10n.t('Rejected texts'), rejected],
      [
        vscode.l10n.t('Late groups'),
        facts.late === 0 ? null : vscode.l10n.t('{0}, counted one epoch later', count(facts.late)),
      ],
      [vscode.l10n.t('Validation'), facts.validation && measured(facts.validation)],
      [
        vscode.l10n.t('KL to the start'),
        summary &&
          vscode.l10n.t(
            'agent {0}, environment {1} nats/token',
            summary.kl.agent === null ? '–' : number(summary.kl.agent),
            summary.kl.environment === null ? '–' : number(summary.kl.environment),
          ),
      ],
      [
        vscode.l10n.t('Tokens'),
        summary && (summary.tokens === null ? vscode.l10n.t('not known') : count(summary.tokens)),
      ],
      [
        vscode.l10n.t('Settings'),
        `α ${curriculum.alpha} · β ${curriculum.beta} · λ ${curriculum.lambda} · k_min ${curriculum.kMin}`,
      ],
      [vscode.l10n.t('Changed'), facts.changes.map(changeText).join(', ')],
      [vscode.l10n.t('Policies'), `${facts.versions.agent.name}, ${facts.versions.environment.name}`],
    ]);
  }

  async #domain(node: DomainNode): Promise<vscode.MarkdownString> {
    const facts = await this.#model.factsOf(node);
    if (facts === undefined) return new vscode.MarkdownString();
    const { generated, scored } = figuresOf(facts, node);
    const rejected = Object.entries(generated?.rejected ?? {})
      .map(([cause, number]) => `${cause} ${count(number)}`)
      .join(', ');
    return tooltip(vscode.l10n.t('Domain {0}', node.domain), [
      [vscode.l10n.t('Success rate'), scored && `${measured(scored.successRate)} · ${inBand(scored.inBand)}`],
      [vscode.l10n.t('Solved'), scored && solvedOf(scored.successRate)],
      [
        vscode.l10n.t('Base tasks'),
        scored && scored.baseSuccessRate.attempts > 0 ? measured(scored.baseSuccessRate) : null,
      ],
      [vscode.l10n.t('R_env'), scored && rate(scored.environmentReward)],
      [vscode.l10n.t('Families kept'), scored && `${count(scored.familiesKept)}/${count(familiesOf(facts, node))}`],
      [vscode.l10n.t('Rejected texts'), rejected],
    ]);
  }

  async #task({ run, task, score }: TaskNode): Promise<vscode.MarkdownString> {
    const { reader } = (await this.#model.open(run)).followed;
    const record = await reader.task(task);
    const text = tooltip(task, [
      [vscode.l10n.t('Solved'), `${count(score.successes)}/${count(score.attempts)}`],
      [vscode.l10n.t('R_env'), rate(score.environmentReward)],
      [vscode.l10n.t('Weight'), score.weight === 0 ? null : percent(score.weight)],
    ]);
    const asked = record?.prompt.findLast(({ role }) => role === 'user')?.content;
    if (asked !== undefined) text.appendCodeblock(cut(asked), 'text');
    if (record?.gold != null)
      text.appendMarkdown(`\n${vscode.l10n.t('Gold')}\n`).appendCodeblock(cut(record.gold), 'text');
    return text;
  }
}

function family({ score }: FamilyNode): vscode.MarkdownString {
  const complexity = Object.entries(score.complexity)
    .map(([name, value]) => `${name} ${number(value)}`)
    .join(', ');
  return tooltip(score.id, [
    [vscode.l10n.t('Success rate'), measured(score.successRate)],
    [vscode.l10n.t('Solved'), solvedOf(score.successRate)],
    [vscode.l10n.t('R_env'), rate(score.environmentReward)],
    [
      vscode.l10n.t('Weight'),
      score.kept > 0
        ? percent(score.weight)
        : score.environmentReward === null
          ? vscode.l10n.t('none: R_env is not known')
          : vscode.l10n.t('left out by the difficulty filter'),
    ],
    [vscode.l10n.t('Tasks'), count(score.tasks.length)],
    [vscode.l10n.t('Seed task'), score.seed],
    [vscode.l10n.t('Plan'), score.plan],
    [vscode.l10n.t('Complexity'), complexity],
  ]);
}

function trace({ trace: id, record: { verdict, version, tokens } }: TraceNode): vscode.MarkdownString {
  const rewards = Object.entries(verdict.parts ?? {}).map(([name, value]) => `${name} ${rate(value)}`);
  return tooltip(id, [
    [vscode.l10n.t('Verdict'), verdict.success ? vscode.l10n.t('solved') : vscode.l10n.t('not solved')],
    [vscode.l10n.t('Note'), inWords(verdict.note ?? '')],
    [vscode.l10n.t('Checker failed'), inWords(verdict.error ?? '')],
    [vscode.l10n.t('Reward'), [rate(verdict.reward), ...rewards].join(' · ')],
    [vscode.l10n.t('Policy version'), version],
    [vscode.l10n.t('Tokens'), tokens === null ? null : count(tokens)],
  ]);
}

function validation(facts: RunFacts): string | null {
  const last = [...facts.epochs.values()].findLast((epoch) => epoch.validation !== null);
  return last?.validation ? vscode.l10n.t('{0} after epoch {1}', measured(last.validation), count(last.epoch)) : null;
}

function timeLeft({ state, manifest }: FollowedRun, active: ActiveRun | undefined): string | null {
  if (state.finished !== null) return null;
  const seconds =
    active === undefined ? outlook(state, inForce(manifest, state), null).secondsLeft : active.secondsLeft;
  return seconds === null ? null : vscode.l10n.t('about {0}', aboutDuration(seconds));
}

const cut = (text: string): string => (text.length > longestText ? `${text.slice(0, longestText)}…` : text);

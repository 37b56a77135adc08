/** Records that an export leaves out, or gives with a warning, and why: counted, with a few examples. */
import * as l10n from '@vscode/l10n';

/** Why a record of a run becomes no row, or not a whole one, and the consequence for training on the rest. */
const leftOutReasons = {
  validation: (): string => l10n.t('an attempt at validation: held out, so that it can be measured with'),
  benchmark: (): string => l10n.t('an attempt that only measured: a benchmark is never trained on'),
  rank: (): string => l10n.t('an attempt that only ranked its task (mode release): nothing learns from it'),
  invalid: (): string => l10n.t('its answer could not be parsed or executed: such traces never enter D_train'),
  unjudged: (): string => l10n.t('the checker itself failed on it: neither success nor failure'),
  dropped: (): string =>
    l10n.t('its group fell out (rollouts.spare): others were complete before it, and nothing was learned from it'),
  late: (): string =>
    l10n.t(
      'its group was late (rollouts.late), and the run has not learned in the epoch in which it would have counted',
    ),
  unfinished: (): string => l10n.t('the run has not learned from its epoch yet: its group may be a part'),
  unanswered: (): string => l10n.t('the endpoint could not give this attempt, whatever it tried'),
  unsolved: (): string => l10n.t('it did not solve its task: supervised training would teach the failure'),
  base: (): string => l10n.t('a base task is no attempt: there is nothing in it to imitate or to reinforce'),
  alone: (): string =>
    l10n.t('fewer than two judged attempts at its task in that epoch: there is no mean to compare it with'),
  constant: (): string =>
    l10n.t('every attempt at its task got the same reward: its advantage is 0 and teaches nothing'),
  'no-tokens': (): string =>
    l10n.t('no token ids were recorded: its endpoint tells none, and text is never tokenised again'),
  'no-logprobs': (): string =>
    l10n.t('no logprobs were recorded with its tokens: the ratio to the policy that sampled it is unknown'),
  excluded: (): string => l10n.t('people took its task out of the pools'),
  edited: (): string => l10n.t('people edited it: it is no longer what the environment policy wrote'),
  filtered: (): string => l10n.t('its family lies outside the band: the difficulty filter did not keep it'),
  unattempted: (): string => l10n.t('it has no judged attempt, so it has no R_env'),
  offline: (): string => l10n.t('it was made elsewhere: the environment policy did not write it'),
  'no-context': (): string =>
    l10n.t('what the environment policy was asked is not recorded: the run is of an earlier release'),
  unasked: (): string =>
    l10n.t(
      'the agent reads a prompt in the domain’s own words (agentPrompt), which no record tells: the row has the task’s text, without what the domain adds',
    ),
  undrawn: (): string => l10n.t('resampling in proportion to the weights did not draw it'),
} as const;
export type LeftOutReason = keyof typeof leftOutReasons;

/** Reports something left out, or warned of; `count` 1 when absent. */
export type Leave = (reason: LeftOutReason, example: string, count?: number) => void;

export interface LeftOutLine {
  reason: LeftOutReason;
  why: string;
  count: number;
  /** Ids of the first few. */
  examples: string[];
}

const examplesKept = 3;

export class LeftOut {
  readonly #lines = new Map<LeftOutReason, LeftOutLine>();

  readonly leave: Leave = (reason, example, count = 1) => {
    const line = this.#lines.get(reason) ?? { reason, why: leftOutReasons[reason](), count: 0, examples: [] };
    line.count += count;
    if (line.examples.length < examplesKept) line.examples.push(example);
    this.#lines.set(reason, line);
  };

  /** Most first. */
  get lines(): LeftOutLine[] {
    return [...this.#lines.values()].sort((a, b) => b.count - a.count);
  }
}

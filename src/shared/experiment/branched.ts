/** What a branch goes on with: the settings of its parent at that epoch, and what is changed in them. */
import { overrideExperiment, type Parsed } from './parse.ts';
import { placeOfOverride } from './overrides.ts';
import type { Problem } from './problems/problem.ts';
import type { Experiment } from './schema.ts';

/** What the shared epochs were made with: a branch that said otherwise would lie about them. */
const inherited = ['version', 'preset', 'domain', 'domains', 'endpoints', 'evaluation'];

/** `overrides` are `path=value` texts; `epoch` is the last one that is shared. */
export function branchedExperiment(before: Experiment, overrides: readonly string[], epoch: number): Parsed {
  const fixed = overrides.find((text) => inherited.includes(text.split(/[.=]/)[0]?.trim() ?? ''));
  if (fixed !== undefined) {
    const message = `${fixed} cannot be changed in a branch: its first epochs were made with what the parent has.`;
    return { problems: [problem(fixed, message, 'Start a new run instead.')] };
  }
  const parsed = overrideExperiment(before, overrides);
  if ('problems' in parsed || parsed.experiment.epochs > epoch) return parsed;
  const message = `A branch at epoch ${epoch} has nothing left to run: epochs is ${parsed.experiment.epochs}.`;
  return { problems: [problem('epochs', message, `Branch earlier, or set epochs=${epoch + 10}.`)] };
}

/** Whether the reward is named, so that its file counts as it is now, by whatever name it had before. */
export const namesReward = (overrides: readonly string[]): boolean =>
  overrides.some((text) => text.split('=')[0]?.trim() === 'reward.file');

const problem = (text: string, message: string, remedy: string): Problem => ({
  ...placeOfOverride(text),
  field: text.split('=')[0] ?? '',
  message,
  remedy,
  severity: 'error',
});

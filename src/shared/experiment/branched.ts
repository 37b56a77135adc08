/** A branch's settings: those of its parent at that epoch, and the changes to them. */
import * as l10n from '@vscode/l10n';
import type { AsSeen } from './fields/overriddenFiles.ts';
import { isOfServer } from './endpoints/serverFields.ts';
import { overrideExperiment, type Parsed } from './parse.ts';
import { placeOfOverride, readOverride } from './overrides.ts';
import type { Problem } from './problems/problem.ts';
import { isObject } from './resolve.ts';
import type { Experiment } from './schema.ts';

/** Settings of the shared epochs: a branch with other values would misreport them. */
const inherited = ['version', 'preset', 'domain', 'domains', 'endpoints', 'evaluation'];

const isFixed = (text: string): boolean =>
  namedFields([text]).some((field) => inherited.includes(field.split('.')[0] ?? '') && !isOfServer(field));

/** `overrides` are `path=value` texts; `epoch` is the last one that is shared. @param asSeen as `parseExperiment` has it */
export function branchedExperiment(
  before: Experiment,
  overrides: readonly string[],
  epoch: number,
  asSeen: AsSeen | null = null,
): Parsed {
  const fixed = overrides.find(isFixed);
  if (fixed !== undefined) {
    const message = l10n.t(
      '{0} cannot be changed in a branch: its first epochs were made with what the parent has.',
      fieldOf(fixed),
    );
    return { problems: [problem(fixed, message, l10n.t('Start a new run instead.'))] };
  }
  const parsed = overrideExperiment(before, overrides, asSeen);
  if ('problems' in parsed || parsed.experiment.epochs > epoch) return parsed;
  const message = l10n.t(
    'A branch at epoch {0} has nothing left to run: epochs is {1}.',
    epoch,
    parsed.experiment.epochs,
  );
  return { problems: [problem('epochs', message, l10n.t('Branch earlier, or set epochs={0}.', epoch + 10))] };
}

/** Fields that overrides give, alone or within an object of several. */
export const namedFields = (overrides: readonly string[]): string[] =>
  overrides.flatMap((text) => {
    const read = readOverride(text);
    return 'path' in read ? leavesOf(read.path, read.value) : [];
  });

const leavesOf = (path: readonly string[], value: unknown): string[] =>
  isObject(value)
    ? Object.entries(value).flatMap(([name, inner]) => leavesOf([...path, name], inner))
    : [path.join('.')];

const fieldOf = (text: string): string => text.split('=')[0] ?? '';

const problem = (text: string, message: string, remedy: string): Problem => ({
  ...placeOfOverride(text),
  field: fieldOf(text),
  message,
  remedy,
  severity: 'error',
});

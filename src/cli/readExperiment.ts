import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { atNames, InputError } from '../launch/inputs/inputError.ts';
import type { AsSeen } from '../shared/experiment/fields/overriddenFiles.ts';
import { nearest } from '../shared/experiment/problems/nearest.ts';
import { parseExperiment } from '../shared/experiment/parse.ts';
import type { Place, Problem } from '../shared/experiment/problems/problem.ts';
import type { Experiment } from '../shared/experiment/schema.ts';
import { codeOf } from '../shared/systemError.ts';
import { givenText } from '../launch/inputs/givenText.ts';

export interface ReadExperiment {
  experiment: Experiment;
  warnings: Problem[];
  /** Relative file names in it start here. */
  directory: string;
  path: string;
  /** For work on the files that it names: problems of one as a whole have the place of its name. @throws InputError */
  named: <T>(work: () => Promise<T>) => Promise<T>;
}

/** Reads an experiment file, named as the person named it in every problem; files of overrides are seen from `cwd`. @throws InputError */
export async function readExperiment(cwd: string, file: string, overrides: readonly string[]): Promise<ReadExperiment> {
  const path = resolve(cwd, file);
  const text = await givenText(path, file, (missing) => (missing ? suggestion(path) : 'Give a file that can be read.'));
  const parsed = parseExperiment(text, file, overrides, typedIn(cwd, dirname(path)));
  if ('problems' in parsed) throw new InputError(parsed.problems);
  const { experiment, warnings, placeOfField } = parsed;
  const named = whereNamed(placeOfField);
  return { experiment, warnings, directory: dirname(path), path, named };
}

/** Fields that take a word for what comes with GenEnv: `agent`, `bfcl`, `found`. */
const takesWords: ReadonlySet<string> = new Set([
  'endpoints.agent.weights',
  'endpoints.environment.weights',
  'evaluation.adapter',
  'generation.testSets',
]);

/** How an experiment sees files that `--set` names, which shells complete in `cwd`. @param directory that of the experiment; null where it has none any more */
export const typedIn =
  (cwd: string, directory: string | null): AsSeen =>
  (name, field) => {
    const typed = resolve(cwd, name);
    // A folder of test sets may have such a name.
    const isWord = takesWords.has(field) && !/[\\/.]/.test(name);
    if (isWord && !(field === 'generation.testSets' && existsSync(typed))) return name;
    return directory !== null && resolve(directory, name) === typed ? name : typed;
  };

/** Does work on files that settings name: problems of one as a whole get the place of its name. */
export function whereNamed(placeOfField: (field: string) => Place): ReadExperiment['named'] {
  return async (work) => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      throw new InputError(atNames(error.problems, placeOfField));
    }
  };
}

async function suggestion(path: string): Promise<string> {
  const folder = dirname(path);
  try {
    const names = (await readdir(folder)).filter((name) => name.endsWith('.json'));
    const name = basename(path);
    const near = nearest(name, names) ?? names.find((one) => one.endsWith('.genenv.json'));
    return near === undefined ? 'Experiments are files named *.genenv.json.' : `Did you mean ${join(folder, near)}?`;
  } catch (error) {
    if (codeOf(error) !== '') return `There is no folder ${folder} either.`;
    throw error;
  }
}

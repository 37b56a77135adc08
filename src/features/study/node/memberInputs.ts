/** A run’s own copies of the files that its settings name: members of a study that name the same files need the same. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileSha256, sha256 } from '../../../runs/files/sha256.ts';
import { madeByPrograms } from '../../../launch/inputs/inputs.ts';
import { inputsFolder } from '../../../launch/inputs/keptFiles.ts';
import { keepNamedFiles, loadNamedFiles } from '../../../launch/namedFiles.ts';
import type { Experiment } from '../../../shared/experiment/schema.ts';
import { outOfRange } from '../../../shared/outOfRange.ts';
import { codeOf } from '../../../shared/systemError.ts';

/** SHA-256 of the copies by the settings that name them: `reward.file 3f…`. */
export type InputSums = Readonly<Record<string, string>>;

/** Of a run that was just made: later its folder may hold more. */
export async function inputSums(dir: string, experiment: Experiment): Promise<InputSums> {
  const copies = [...(await copiesIn(dir, experiment))].sort(([a], [b]) => (a < b ? -1 : 1));
  const parts = partsOf(experiment);
  const byPart = Map.groupBy(copies, ([path]) => parts.find(({ paths }) => paths.test(path)) ?? outOfRange());
  return Object.fromEntries(
    [...byPart].map(([{ field, settings }, own]) => [
      `${field} ${sha256(JSON.stringify(settings))}`,
      sha256(JSON.stringify(own)),
    ]),
  );
}

/** The field whose files are not those that another member with the same settings copied; null where all are. */
export function changedInput(known: readonly InputSums[], now: InputSums): string | null {
  const key = Object.keys(now).find((own) => known.some((sums) => sums[own] !== undefined && sums[own] !== now[own]));
  return key?.split(' ')[0] ?? null;
}

/** Whether a run has the copies that a new run of its experiment would have. @throws InputError for a file that cannot be used */
export async function hasPresentInputs(dir: string, experiment: Experiment, directory: string, dist: URL) {
  const fresh = await mkdtemp(join(tmpdir(), 'genenv-inputs-'));
  try {
    await keepNamedFiles(fresh, experiment, await loadNamedFiles(experiment, directory, dist));
    const [wanted, found] = await Promise.all([copiesIn(fresh, experiment), copiesIn(dir, experiment)]);
    return [...wanted].every(([path, sum]) => found.get(path) === sum);
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

interface Part {
  /** Of copies in `inputs/`. The first part that matches has a copy. */
  paths: RegExp;
  field: string;
  /** All that names the files. */
  settings: unknown;
}

function partsOf(experiment: Experiment): readonly Part[] {
  const { mode, domain, domains, generation, reward, curriculum, endpoints, evaluation } = experiment;
  return [
    { paths: /^reward(\.json$|\/)/, field: 'reward.file', settings: reward },
    { paths: /^curriculum(\.json$|\/)/, field: 'curriculum.reward.file', settings: curriculum.reward },
    { paths: /^agent\.bin$/, field: 'endpoints.agent.weights', settings: endpoints.agent },
    { paths: /^environment\.bin$/, field: 'endpoints.environment.weights', settings: endpoints.environment },
    { paths: /^evaluation/, field: 'evaluation', settings: evaluation },
    { paths: /^/, field: 'domain', settings: [mode, domain, domains, generation, evaluation.adapter] },
  ];
}

/** SHA-256 of each, by its path in `inputs/`; without tasks that a program made. Empty where there is none. */
async function copiesIn(dir: string, experiment: Experiment): Promise<Map<string, string>> {
  const folder = join(dir, inputsFolder);
  const made = madeByPrograms(experiment);
  try {
    const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
    const paths = files
      .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).replaceAll('\\', '/'))
      .filter((path) => !made.has(`${inputsFolder}/${path}`));
    const sums = await Promise.all(
      paths.map(async (path): Promise<[string, string]> => [path, await fileSha256(join(folder, path))]),
    );
    return new Map(sums);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return new Map();
    throw error;
  }
}

/** Which run was started last with a file of tasks as its seeds. */
import { dirname, resolve } from 'node:path';
import { readInputs } from '../../../launch/inputs/inputs.ts';
import { readManifest, type Manifest } from '../../../runs/store/manifest.ts';
import { sourceOf } from '../../../runs/store/runPaths.ts';
import { RunError } from '../../../runs/store/runError.ts';
import type { Task } from '../../../shared/records/task.ts';
import type { RunCatalog, RunDir } from '../../../host/runs/runs.ts';

/** How many runs back a file's own is looked for. */
const furthest = 200;

/** Absolute path of the file that a run's seeds were read from; null when it has its own, or nobody knows where it lay. */
function seedFileOf(dir: RunDir, manifest: Pick<Manifest, 'source' | 'experiment'>): string | null {
  const source = sourceOf(dir, manifest);
  const { seeds } = manifest.experiment.domain;
  return source === null || seeds === null ? null : resolve(dirname(source), seeds);
}

/** What makes two tasks the same to whoever attempts them. */
const contentOf = ({ prompt, evaluation, gold }: Pick<Task, 'prompt' | 'evaluation' | 'gold'>): string =>
  JSON.stringify([prompt, evaluation, gold]);

export class SeedRuns {
  readonly #catalog: Pick<RunCatalog, 'runs' | 'ready'>;
  /** Manifests never change: each is read once. */
  readonly #files = new Map<RunDir, Promise<string | null>>();
  readonly #copies = new Map<RunDir, Promise<ReadonlyMap<string, string>>>();

  constructor(catalog: Pick<RunCatalog, 'runs' | 'ready'>) {
    this.#catalog = catalog;
  }

  /** The newest run of a file; null when there is none. */
  async runOf(path: string): Promise<RunDir | null> {
    await this.#catalog.ready;
    for (const { dir } of this.#catalog.runs.slice(0, furthest)) if ((await this.#fileOf(dir)) === path) return dir;
    return null;
  }

  /** Whether a run was given a task as it stands in its file now. @throws InputError, RunError */
  async hasAsItIs(run: RunDir, task: Pick<Task, 'id' | 'prompt' | 'evaluation' | 'gold'>): Promise<boolean> {
    const copies = this.#copies.get(run) ?? readCopies(run);
    this.#copies.set(run, copies);
    return (await copies).get(task.id) === contentOf(task);
  }

  #fileOf(dir: RunDir): Promise<string | null> {
    const known = this.#files.get(dir) ?? readSeedFile(dir);
    this.#files.set(dir, known);
    return known;
  }
}

async function readSeedFile(dir: RunDir): Promise<string | null> {
  try {
    return seedFileOf(dir, await readManifest(dir));
  } catch (error) {
    // The tree tells of runs that cannot be read; here it is only not this file's.
    if (RunError.is(error)) return null;
    throw error;
  }
}

async function readCopies(dir: RunDir): Promise<ReadonlyMap<string, string>> {
  const { experiment } = await readManifest(dir);
  const { seeds } = await readInputs(dir, experiment);
  return new Map(seeds?.map((task) => [task.id, contentOf(task)]));
}

/** Which run was started last with a file of tasks as its seeds. */
import { taskContent } from '../../../shared/records/taskContent.ts';
import { dirname, resolve } from 'node:path';
import { readInputs } from '../../../launch/inputs/inputs.ts';
import { readManifest, type Manifest } from '../../../runs/store/manifest.ts';
import { sourceOf } from '../../../runs/store/runPaths.ts';
import { RunError } from '../../../runs/store/runError.ts';
import { domainsOf } from '../../../shared/experiment/tasks/domains.ts';
import type { Task } from '../../../shared/records/task.ts';
import type { RunCatalog, RunDir } from '../../../host/runs/runs.ts';

/** How many runs back a file's own is looked for. */
const furthest = 200;

/** Absolute paths of the files that a run's seeds came from; empty when it has its own, or their place is unknown. */
function seedFilesOf(dir: RunDir, manifest: Pick<Manifest, 'source' | 'experiment'>): string[] {
  const source = sourceOf(dir, manifest);
  if (source === null) return [];
  return domainsOf(manifest.experiment).flatMap(({ settings: { seeds } }) =>
    seeds === null ? [] : [resolve(dirname(source), seeds)],
  );
}

type Content = Pick<Task, 'prompt' | 'tools' | 'evaluation' | 'gold'>;

export class SeedRuns {
  readonly #catalog: Pick<RunCatalog, 'runs' | 'ready'>;
  /** Manifests never change: each is read once. */
  readonly #files = new Map<RunDir, Promise<readonly string[]>>();
  readonly #copies = new Map<RunDir, Promise<ReadonlyMap<string, string>>>();

  constructor(catalog: Pick<RunCatalog, 'runs' | 'ready'>) {
    this.#catalog = catalog;
  }

  /** The newest run of a file; null when there is none. */
  async runOf(path: string): Promise<RunDir | null> {
    await this.#catalog.ready;
    for (const { dir } of this.#catalog.runs.slice(0, furthest))
      if ((await this.#filesOf(dir)).includes(path)) return dir;
    return null;
  }

  /** Whether a run has a task in its file's current form. @throws InputError, RunError */
  async hasAsItIs(run: RunDir, task: Content & Pick<Task, 'id'>): Promise<boolean> {
    const copies = this.#copies.get(run) ?? readCopies(run);
    this.#copies.set(run, copies);
    return (await copies).get(task.id) === taskContent(task);
  }

  #filesOf(dir: RunDir): Promise<readonly string[]> {
    const known = this.#files.get(dir) ?? readSeedFiles(dir);
    this.#files.set(dir, known);
    return known;
  }
}

async function readSeedFiles(dir: RunDir): Promise<readonly string[]> {
  try {
    return seedFilesOf(dir, await readManifest(dir));
  } catch (error) {
    // The tree reports unreadable runs; here one is only ignored.
    if (RunError.is(error)) return [];
    throw error;
  }
}

async function readCopies(dir: RunDir): Promise<ReadonlyMap<string, string>> {
  const { experiment } = await readManifest(dir);
  const { seeds } = await readInputs(dir, experiment);
  return new Map(seeds?.map((task) => [task.id, taskContent(task)]));
}

/**
 * Counts the tasks in the files that an experiment names, without judging them or running a program: a task a line. A
 * file that cannot be read, and tasks that a program or an adapter makes, are left out: the checks before a run tell them.
 */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { domainLanguage } from '../../shared/domains/domainFile.ts';
import { domainsOf } from '../../shared/experiment/tasks/domains.ts';
import { heldOutFile } from '../../shared/experiment/tasks/heldOut.ts';
import type { TaskCounts } from '../../shared/experiment/tasks/taskCounts.ts';
import type { Experiment } from '../../shared/experiment/schema.ts';
import { codeOf } from '../../shared/systemError.ts';
import { loadEvaluation } from './evaluation.ts';
import { InputError } from './inputError.ts';

type Files = Pick<Experiment, 'domain' | 'domains' | 'validation' | 'evaluation'>;

export class TaskCounter {
  readonly #dist: URL;
  /** By path. */
  readonly #files = new Map<string, LastCount>();
  /** By all that says which tasks an evaluation attempts. */
  readonly #evaluations = new Map<string, LastCount>();

  /** @param dist the folder of built files */
  constructor(dist: URL) {
    this.#dist = dist;
  }

  /** Each file is read again only where it has changed. @throws system errors other than those of files */
  async count(experiment: Files, directory: string): Promise<TaskCounts> {
    const { evaluation } = experiment;
    await Promise.all([
      ...domainsOf(experiment)
        .flatMap(({ settings }) => [settings.seeds, heldOutFile(settings)])
        .flatMap((file) => (file !== null && hasTaskLines(file) ? [resolve(directory, file)] : []))
        .map(async (path) => last(this.#files, path).at(await stateOf(path), () => tasksIn(path))),
      (async () => {
        const files = [evaluation.adapter, evaluation.data].flatMap((file) => file ?? []);
        const states = await Promise.all(files.map((file) => stateOf(resolve(directory, file))));
        await this.#evaluation(evaluation, directory).at(states.join(), () =>
          evaluated(experiment, directory, this.#dist),
        );
      })(),
    ]);
    return this.known(experiment, directory);
  }

  /** The newest counts so far: of a file that has changed since, those of before. */
  known(experiment: Files, directory: string): TaskCounts {
    const base = new Map<string, number>();
    const heldOut = new Map<string, number>();
    const counted = (file: string | null): number | null =>
      file === null ? null : (this.#files.get(resolve(directory, file))?.value ?? null);
    for (const { name, settings } of domainsOf(experiment)) {
      const [own, held] = [counted(settings.seeds), counted(heldOutFile(settings))];
      if (own !== null) base.set(name, Math.min(own, settings.baseTasks));
      if (held !== null) heldOut.set(name, held);
    }
    return { base, heldOut, evaluation: this.#evaluation(experiment.evaluation, directory).value };
  }

  /** Files that no state tells of may have changed, as those in the folder of a benchmark. */
  recount(): void {
    for (const counts of [this.#files, this.#evaluations]) for (const one of counts.values()) one.recount();
  }

  #evaluation({ every, adapter, split, data, sample }: Experiment['evaluation'], directory: string): LastCount {
    return last(this.#evaluations, JSON.stringify([directory, every > 0, adapter, split, data, sample]));
  }
}

/** A count of the newest state that was asked for. */
class LastCount {
  /** Null before it was counted, and where it cannot be. */
  value: number | null = null;
  #state = '';
  #counting: Promise<number | null> | null = null;

  /** Counts once for each state, and throws a failure once. */
  async at(state: string, count: () => Promise<number | null>): Promise<void> {
    if (this.#counting === null || this.#state !== state) {
      this.#state = state;
      this.#counting = count();
    }
    const counting = this.#counting;
    try {
      const value = await counting;
      if (counting === this.#counting) this.value = value;
    } catch (error) {
      if (counting === this.#counting) [this.value, this.#counting] = [null, Promise.resolve(null)];
      throw error;
    }
  }

  recount(): void {
    this.#counting = null;
  }
}

function last(counts: Map<string, LastCount>, key: string): LastCount {
  const known = counts.get(key) ?? new LastCount();
  counts.set(key, known);
  return known;
}

/** Another one for each change of the file. */
async function stateOf(path: string): Promise<string> {
  try {
    const { mtimeMs, size } = await stat(path);
    return `${mtimeMs} ${size}`;
  } catch (error) {
    if (codeOf(error) === '') throw error;
    return 'none';
  }
}

/** Not of programs and adapters, which make tasks. */
const hasTaskLines = (file: string): boolean => domainLanguage(file) === null && !file.endsWith('.adapter.json');

/** Null of a file that cannot be read. */
async function tasksIn(path: string): Promise<number | null> {
  try {
    return await linesIn(path);
  } catch (error) {
    if (codeOf(error) === '') throw error;
    return null;
  }
}

const newline = 10;
/** Of spaces, tabs and carriage returns, as a byte order mark is, no task is made. */
const blanks: ReadonlySet<number> = new Set([9, 13, 32, 0xef, 0xbb, 0xbf]);

/** Lines with anything in them. */
async function linesIn(path: string): Promise<number> {
  let [lines, isBlank] = [0, true];
  for await (const chunk of createReadStream(path)) {
    if (!(chunk instanceof Uint8Array)) continue;
    for (const byte of chunk) {
      if (byte === newline) isBlank = true;
      else if (isBlank && !blanks.has(byte)) {
        isBlank = false;
        lines += 1;
      }
    }
  }
  return lines;
}

/** The tasks of a whole split; a sample is as large as it is set, which needs no data. */
async function evaluated({ evaluation }: Files, directory: string, dist: URL): Promise<number | null> {
  if (evaluation.sample !== null) return null;
  try {
    return (await loadEvaluation({ evaluation }, directory, dist))?.tasks.length ?? null;
  } catch (error) {
    if (error instanceof InputError) return null;
    throw error;
  }
}

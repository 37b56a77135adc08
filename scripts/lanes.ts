/** Jobs beside each other: those that draw, then the longest first, so that the lanes end together. */
import { AsyncLocalStorage } from 'node:async_hooks';

export interface Job {
  name: string;
  /** How long it takes by itself: only who goes first depends on it. */
  seconds: number;
  /** Jobs that must have ended. */
  needs?: readonly string[];
  /** In a browser: with more of them than `drawing`, each takes almost twice as long. */
  draws?: boolean;
  run: () => Promise<void>;
}

export interface Lanes {
  lanes: number;
  /** How many jobs draw at a time. */
  drawing: number;
}

/**
 * Suites wait for what they start: two lanes leave a third of two cores unused, so there is one more than cores. Each needs
 * 4 GB. A browser draws with more than a core.
 */
export const lanesOf = (machine: { cores: number; bytes: number }): Lanes => ({
  lanes: Math.max(2, Math.min(machine.cores + 1, Math.floor(machine.bytes / 4e9))),
  drawing: Math.max(2, Math.floor(machine.cores / 2)),
});

type Show = (bytes: string | Uint8Array) => void;

/** Output of the other lanes that is not shown yet. */
const unsaid = new AsyncLocalStorage<(string | Uint8Array)[]>();

/** Where a job's output goes; undefined where it is shown as it comes. */
export const held = (): (string | Uint8Array)[] | undefined => unsaid.getStore();

export function say(bytes: string): void {
  const later = held();
  if (later === undefined) process.stdout.write(bytes);
  else later.push(bytes);
}

/**
 * The first lane's output is shown at once, that of the others between two of its jobs.
 * @throws Error where a job needs one that is not there
 */
export async function inLanes(
  jobs: readonly Job[],
  { lanes, drawing }: Lanes,
  show: Show = (bytes) => process.stdout.write(bytes),
): Promise<void> {
  // Few may draw at a time: left to the end, they would leave the other lanes empty.
  const left = jobs.toSorted(
    (one, other) => Number(other.draws === true) - Number(one.draws === true) || other.seconds - one.seconds,
  );
  const running = new Set<Job>();
  const ended = new Set<string>();
  const said: (string | Uint8Array)[] = [];
  let change = Promise.withResolvers<undefined>();
  const mayBegin = ({ needs = [], draws = false }: Job): boolean =>
    needs.every((name) => ended.has(name)) &&
    !(draws && [...running].filter((job) => job.draws === true).length >= drawing);

  async function take(job: Job, isFirst: boolean): Promise<void> {
    const own: (string | Uint8Array)[] = [];
    left.splice(left.indexOf(job), 1);
    running.add(job);
    await (isFirst ? job.run() : unsaid.run(own, job.run));
    running.delete(job);
    ended.add(job.name);
    said.push(...own);
    change.resolve(undefined);
    change = Promise.withResolvers();
  }

  async function lane(isFirst: boolean): Promise<void> {
    while (left.length > 0) {
      const job = left.find(mayBegin);
      if (job !== undefined) await take(job, isFirst);
      else if (running.size > 0) await change.promise;
      else throw new Error(`No job brings about what these need: ${left.map(({ name }) => name).join(', ')}.`);
      if (isFirst) said.splice(0).forEach(show);
    }
  }

  await Promise.all(Array.from({ length: lanes }, (_, i) => lane(i === 0)));
  said.forEach(show);
}

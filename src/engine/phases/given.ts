/**
 * Draws given tasks for one batch, by the run's sampler, and keeps what was drawn and why. Candidates stand in an order
 * that the journal alone decides, so that a resumed epoch draws the same, and a reader can draw them again.
 */
import type { EventOf } from '../../shared/journal/events.ts';
import type { Task } from '../../shared/records/task.ts';
import { outOfRange } from '../../shared/outOfRange.ts';
import { defined } from '../../shared/defined.ts';
import { interleaved, partsOf } from '../byDomain.ts';
import type { Loop } from '../loop.ts';
import { Rng } from '../random.ts';
import { draw, scoreOf } from '../samplers/draw.ts';
import type { Seen } from '../samplers/seen.ts';
import { admittedTo, overlaysIn } from './edits.ts';

export type Draw = EventOf<'tasks.drawn'>['draws'][number];

/** Whether what was measured of given tasks decides which of them come again. */
export const samples = ({ experiment: { mode, rollouts } }: Pick<Loop, 'experiment'>): boolean =>
  mode !== 'release' && rollouts.sampler.kind !== 'uniform';

/** The journaled part of an epoch's draws. */
export function drawnBy(
  { experiment }: Pick<Loop, 'experiment'>,
  draws: readonly Draw[],
): Pick<EventOf<'tasks.drawn'>, 'type' | 'sampler' | 'draws'> {
  const { kind, temperature, staleness } = experiment.rollouts.sampler;
  const sampler = {
    kind,
    ...(kind === 'plr' && { temperature }),
    ...((kind === 'plr' || kind === 'band') && { staleness }),
  };
  return { type: 'tasks.drawn', sampler, draws: [...draws] };
}

/** A task of the agent pool, whose record is not read yet. */
export interface PoolTask {
  id: string;
  /** The epoch that wrote it. */
  written: number;
  domain: string | undefined;
}

export class GivenTasks {
  readonly draws: Draw[] = [];
  readonly #loop: Loop;
  readonly #epoch: number;

  constructor(loop: Loop, epoch: number) {
    this.#loop = loop;
    this.#epoch = epoch;
  }

  /**
   * `count` different ones of some candidates in random order; all of them where there are fewer.
   * @param stream the domain's name, where the run has several
   * @param seenOf what is known of a candidate; by its id where none is given
   */
  draw<T extends { id: string }>(
    from: Draw['from'],
    candidates: readonly T[],
    count: number,
    stream: readonly string[],
    seenOf: (one: T) => Seen | undefined = ({ id }) => this.#loop.state.seen.get(id),
  ): T[] {
    const { seed, rollouts, curriculum } = this.#loop.experiment;
    const { kind, temperature, staleness } = rollouts.sampler;
    const rng = Rng.from(seed, from, this.#epoch, ...stream);
    if (kind === 'uniform') return rng.pick(candidates, count);
    if (count <= 0 || candidates.length === 0) return [];
    const [domain] = stream;
    // A change of settings in the middle of an epoch must not draw its batch anew.
    const journaled = this.#loop.state.open?.drawn?.draws.find((one) => one.from === from && one.domain === domain);
    if (journaled !== undefined) return journaled.tasks.map(({ at }) => candidates[at] ?? outOfRange());
    const seen = candidates.map(seenOf);
    const { alpha, kMin } = curriculum;
    const drawn = draw(seen, count, { kind, temperature, staleness, alpha, kMin }, this.#epoch, rng);
    const chosen = drawn.map(({ at }) => candidates[at] ?? outOfRange());
    this.draws.push({
      from,
      ...defined({ domain }),
      of: candidates.length,
      known: seen.reduce((sum, one) => sum + (scoreOf(kind, one) === null ? 0 : 1), 0),
      tasks: drawn.map(({ at, by, value }, i) => ({ id: chosen[i]?.id ?? outOfRange(), at, by, value })),
    });
    return chosen;
  }

  /** Tasks of the agent pool, of several domains none more than its share. Only drawn epochs' records are read. */
  async drawPool(count: number): Promise<Task[]> {
    const { domains } = this.#loop;
    const pool = this.#pool();
    const counts = domains === null ? [] : partsOf(domains, count);
    const drawn =
      domains === null
        ? this.draw('pool', pool, count, [])
        : interleaved(
            domains.map(({ name }, i) => {
              return this.draw('pool', tasksOfPart(pool, name), counts[i] ?? outOfRange(), [name]);
            }),
          );
    const tasks: Task[] = [];
    for (const one of drawn) {
      const task = await this.poolTask(one);
      if (task !== undefined) tasks.push(task);
    }
    return tasks;
  }

  /** Tasks of the agent pool that the environment edits. @param stream the domain's name, where the run has several */
  drawEdits(count: number, stream: readonly string[]): PoolTask[] {
    const [domain] = stream;
    return this.draw('edit', domain === undefined ? this.#pool() : tasksOfPart(this.#pool(), domain), count, stream);
  }

  async poolTask({ id, written }: PoolTask): Promise<Task | undefined> {
    return (await this.#loop.poolOf(written)).find((one) => one.id === id);
  }

  #pool(): PoolTask[] {
    const { state } = this.#loop;
    const overlays = overlaysIn(state, this.#epoch);
    const isOut = (id: string): boolean => typeof overlays.get(id)?.excluded === 'string';
    const own = [...state.seen].flatMap(([id, { written, domain }]) =>
      written === undefined || isOut(id) ? [] : [{ id, written, domain }],
    );
    const known = new Set(own.map(({ id }) => id));
    return [...own, ...admittedTo(overlays).filter(({ id }) => !known.has(id) && !isOut(id))];
  }
}

const tasksOfPart = (pool: readonly PoolTask[], name: string): PoolTask[] =>
  pool.filter(({ domain }) => domain === name);

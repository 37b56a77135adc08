/** Which tasks an epoch's batch holds: generated (static, offline) families, base data, and tasks of the agent pool. */
import * as l10n from '@vscode/l10n';
import { apportion } from '../../shared/apportion.ts';
import type { Task } from '../../shared/records/task.ts';
import { drawnByShare, interleaved, partsOf, tasksOfDomain } from '../byDomain.ts';
import { LoopError } from '../errors.ts';
import type { Loop } from '../loop.ts';
import { Rng } from '../random.ts';
import { seenTogether } from '../samplers/seen.ts';
import { withSpare } from '../../shared/experiment/tasks/spare.ts';
import { neededOf } from '../spare/places.ts';
import { admittedTo, overlaysIn } from './edits.ts';
import { GivenTasks, samples, type Draw } from './given.ts';
import { outOfRange } from '../../shared/outOfRange.ts';

export interface Batch {
  /** Over these p̂ is measured and the environment rewarded. */
  calibrated: Task[];
  /** Base data and pool tasks mixed in for the agent. */
  mixed: Task[];
  /** How many of each kind count, where spare ones are among them (`rollouts.spare`). */
  needed?: ReadonlyMap<string, number>;
}

/**
 * Chooses the batch. Its size is fixed by the experiment, however many tasks the environment wrote: a shortfall is
 * filled with base tasks, so that modes can be compared at equal rollouts.
 */
export async function chooseBatch(loop: Loop, epoch: number): Promise<Batch & { draws: readonly Draw[] }> {
  const { generation, rollouts, seed, mode } = loop.experiment;
  const wanted = generation.families * generation.variations;
  const given = new GivenTasks(loop, epoch);
  const calibrated = await calibratedTasks(loop, epoch, given);
  if (mode === 'release') {
    // The release trains on the originals next to the newest generated rows.
    const wanted = Math.max(calibrated.length, 1);
    const originals = drawnByShare(loop.domains, loop.base, wanted, (base, part, stream) =>
      Rng.from(seed, 'originals', epoch, ...stream).pick(base, part),
    );
    return { calibrated, mixed: originals, draws: given.draws };
  }
  const total = Math.round(wanted / (1 - rollouts.baseShare - rollouts.poolShare));
  if (rollouts.spare > 0)
    return { ...(await withSpareTasks(loop, epoch, calibrated, total, given)), draws: given.draws };
  const pool = await poolTasks(loop, epoch, Math.round(total * rollouts.poolShare), given);
  const mixed = [...baseTasks(loop, total, [...calibrated, ...pool], given), ...pool];
  if (calibrated.length + mixed.length === 0) throw nothingToAttempt(epoch);
  return { calibrated, mixed, draws: given.draws };
}

/** The batch as it is without spare tasks says how many of each kind count. */
async function withSpareTasks(
  loop: Loop,
  epoch: number,
  calibrated: Task[],
  total: number,
  given: GivenTasks,
): Promise<Batch> {
  const { generation, rollouts } = loop.experiment;
  const counted = drawnByShare(loop.domains, calibrated, generation.families * generation.variations, (some, part) =>
    some.slice(0, part),
  );
  const pooled = Math.round(total * rollouts.poolShare);
  const mixedOf = async (spare: number): Promise<Task[]> => {
    const pool = await poolTasks(loop, epoch, withSpare(pooled, spare), given);
    const own = Math.min(pool.length, pooled);
    const filled = total - counted.length - own;
    const size = counted.length + pool.length + withSpare(Math.max(0, filled), spare);
    return [...baseTasks(loop, size, [...counted, ...pool], given), ...pool];
  };
  const needed = neededOf({ calibrated: counted, mixed: await mixedOf(0) });
  const mixed = await mixedOf(rollouts.spare);
  if (calibrated.length + mixed.length === 0) throw nothingToAttempt(epoch);
  return { calibrated, mixed, needed };
}

const nothingToAttempt = (epoch: number): LoopError =>
  new LoopError(
    'no-tasks',
    l10n.t('Epoch {0} has no task to attempt: nothing was accepted and there is no base data.', epoch),
  );

/** Base tasks that fill a batch up to its size; each domain's up to its share, as far as the others leave room. */
function baseTasks(loop: Loop, total: number, taken: readonly Task[], given: GivenTasks): Task[] {
  const { domains, base } = loop;
  const wanted = Math.max(0, total - taken.length);
  if (domains === null) return given.draw('base', base, wanted, []);
  const missing = partsOf(domains, total).map((part, i) =>
    Math.max(0, part - tasksOfDomain(taken, domains[i]?.name ?? '').length),
  );
  const counts = apportion(wanted, missing);
  return interleaved(
    domains.map(({ name }, i) => given.draw('base', tasksOfDomain(base, name), counts[i] ?? outOfRange(), [name])),
  );
}

async function calibratedTasks(loop: Loop, epoch: number, given: GivenTasks): Promise<Task[]> {
  const { generation, mode, rollouts } = loop.experiment;
  if (mode === 'static') {
    const families = withSpare(generation.families, rollouts.spare);
    return drawnByShare(loop.domains, accepted(await loop.tasksOf(1)), families, (pool, part, stream) =>
      familiesOf(loop, { count: part, size: generation.variations, epoch }, pool, stream, given),
    ).flat();
  }
  if (mode === 'offline') {
    const offline = loop.edited(loop.ports.offlineTasks ?? []);
    if (offline.length === 0) {
      throw new LoopError(
        'no-tasks',
        l10n.t('Mode "offline" has no tasks: generation.offlineFile is missing or empty.'),
      );
    }
    const wanted = withSpare(generation.families * generation.variations, rollouts.spare);
    return drawnByShare(loop.domains, offline, wanted, (some, part, stream) =>
      given.draw('offline', some, part, stream),
    );
  }
  return accepted(await loop.tasksOf(epoch));
}

const accepted = (tasks: readonly Task[]): Task[] => tasks.filter(({ status }) => status === 'accepted');

/** `count` families of a pool, up to `size` tasks each, so that p̂ stays a family's. */
function familiesOf(
  { experiment: { seed, rollouts }, state }: Loop,
  { count, size, epoch }: { count: number; size: number; epoch: number },
  pool: readonly Task[],
  stream: readonly string[],
  given: GivenTasks,
): Task[][] {
  const byFamily = [...Map.groupBy(pool, ({ family }) => family)].map(([id, tasks]) => ({ id, tasks }));
  const rng = Rng.from(seed, 'static', epoch, ...stream);
  if (rollouts.sampler.kind === 'uniform') return rng.pick(byFamily, count).map(({ tasks }) => rng.pick(tasks, size));
  const known = ({ tasks }: { tasks: readonly Task[] }) => seenTogether(tasks.map(({ id }) => state.seen.get(id)));
  const own = Rng.from(seed, 'static tasks', epoch, ...stream);
  return given.draw('static', byFamily, count, stream, known).map(({ tasks }) => own.pick(tasks, size));
}

/**
 * Tasks of earlier epochs in D_train, every pool task equally likely. Epochs are drawn by how many tasks they added, so
 * that only the chosen epochs' records are read. Of several domains none gets more than its share.
 */
async function poolTasks(loop: Loop, epoch: number, count: number, given: GivenTasks): Promise<Task[]> {
  const { mode, seed } = loop.experiment;
  if (mode === 'static' || mode === 'offline') return [];
  if (samples(loop)) return given.drawPool(count);
  const sizes = await poolSizes(loop, epoch);
  const total = sizes.reduce((sum, [, size]) => sum + size, 0);
  const rng = Rng.from(seed, 'pool', epoch);
  const chosen = new Map<string, Task>();
  const domains = loop.domains ?? [];
  const room = new Map(partsOf(domains, count).map((part, i) => [domains[i]?.name, part]));
  const draws = count * 4 * Math.max(1, domains.length);
  for (let draw = 0; draw < draws && chosen.size < Math.min(count, total); draw++) {
    let index = rng.int(total);
    for (const [added, size] of sizes) {
      if (index >= size) {
        index -= size;
        continue;
      }
      const task = (await loop.poolOf(added))[index];
      if (task === undefined || chosen.has(task.id)) break;
      const left = room.get(task.domain) ?? Infinity;
      if (left === 0) break;
      room.set(task.domain, left - 1);
      chosen.set(task.id, task);
      break;
    }
  }
  return [...chosen.values()];
}

/** How many tasks each earlier epoch has in the pool: the journal counts those with the agent's own valid traces alone. */
async function poolSizes(loop: Loop, epoch: number): Promise<[number, number][]> {
  const { state } = loop;
  const joined = new Set(admittedTo(overlaysIn(state, epoch)).map(({ written }) => written));
  const sizes = [...state.poolTasks].filter(([added]) => added < epoch);
  return Promise.all(
    sizes.map(async ([added, size]): Promise<[number, number]> => [
      added,
      joined.has(added) ? Math.max(size, (await loop.poolOf(added)).length) : size,
    ]),
  );
}

/** Which tasks an epoch's batch holds: generated (static, offline) families, base data, and tasks of the agent pool. */
import { apportion } from '../../shared/apportion.ts';
import type { Task } from '../../shared/records/task.ts';
import { drawnByShare, interleaved, partsOf, tasksOfDomain } from '../byDomain.ts';
import { LoopError } from '../errors.ts';
import type { Loop } from '../loop.ts';
import { Rng } from '../random.ts';
import { outOfRange } from '../../shared/outOfRange.ts';

export interface Batch {
  /** Over these p̂ is measured and the environment rewarded. */
  calibrated: Task[];
  /** Base data and pool tasks mixed in for the agent. */
  mixed: Task[];
}

/**
 * Chooses the batch. Its size is fixed by the experiment, whatever the environment managed to write: a shortfall is
 * filled with base tasks, so that modes can be compared at equal rollouts.
 */
export async function chooseBatch(loop: Loop, epoch: number): Promise<Batch> {
  const { generation, rollouts, seed, mode } = loop.experiment;
  const wanted = generation.families * generation.variations;
  const calibrated = await calibratedTasks(loop, epoch);
  if (mode === 'release') {
    // The release trains on the originals next to the newest generated rows.
    const wanted = Math.max(calibrated.length, 1);
    const originals = drawnByShare(loop.domains, loop.base, wanted, (base, part, stream) =>
      Rng.from(seed, 'originals', epoch, ...stream).pick(base, part),
    );
    return { calibrated, mixed: originals };
  }
  const total = Math.round(wanted / (1 - rollouts.baseShare - rollouts.poolShare));
  const pool = await poolTasks(loop, epoch, Math.round(total * rollouts.poolShare));
  const mixed = [...baseTasks(loop, epoch, total, [...calibrated, ...pool]), ...pool];
  if (calibrated.length + mixed.length === 0) {
    throw new LoopError(
      'no-tasks',
      `Epoch ${epoch} has no task to attempt: nothing was accepted and there is no base data.`,
    );
  }
  return { calibrated, mixed };
}

/** Base tasks that fill a batch up to its size; each domain's up to its share, as far as the others leave room. */
function baseTasks(loop: Loop, epoch: number, total: number, taken: readonly Task[]): Task[] {
  const { seed } = loop.experiment;
  const { domains, base } = loop;
  const wanted = Math.max(0, total - taken.length);
  if (domains === null) return Rng.from(seed, 'base', epoch).pick(base, wanted);
  const missing = partsOf(domains, total).map((part, i) =>
    Math.max(0, part - tasksOfDomain(taken, domains[i]?.name ?? '').length),
  );
  const counts = apportion(wanted, missing);
  return interleaved(
    domains.map(({ name }, i) =>
      Rng.from(seed, 'base', epoch, name).pick(tasksOfDomain(base, name), counts[i] ?? outOfRange()),
    ),
  );
}

async function calibratedTasks(loop: Loop, epoch: number): Promise<Task[]> {
  const { generation, mode, seed } = loop.experiment;
  if (mode === 'static') {
    return drawnByShare(loop.domains, accepted(await loop.tasksOf(1)), generation.families, (pool, part, stream) =>
      families(pool, part, generation.variations, Rng.from(seed, 'static', epoch, ...stream)),
    ).flat();
  }
  if (mode === 'offline') {
    const offline = loop.edited(loop.ports.offlineTasks ?? []);
    if (offline.length === 0) {
      throw new LoopError('no-tasks', 'Mode "offline" has no tasks: generation.offlineFile is missing or empty.');
    }
    return drawnByShare(loop.domains, offline, generation.families * generation.variations, (some, part, stream) =>
      Rng.from(seed, 'offline', epoch, ...stream).pick(some, part),
    );
  }
  return accepted(await loop.tasksOf(epoch));
}

const accepted = (tasks: readonly Task[]): Task[] => tasks.filter(({ status }) => status === 'accepted');

/** `count` families of a pool, up to `size` tasks each, so that p̂ stays a family's. */
function families(pool: readonly Task[], count: number, size: number, rng: Rng): Task[][] {
  const byFamily = Map.groupBy(pool, ({ family }) => family);
  return rng.pick([...byFamily.values()], count).map((tasks) => rng.pick(tasks, size));
}

/**
 * Tasks of earlier epochs in D_train, every pool task equally likely. Epochs are drawn by how many tasks they added, so
 * that only the chosen epochs' records are read. Of several domains none gets more than its share.
 */
async function poolTasks(loop: Loop, epoch: number, count: number): Promise<Task[]> {
  const { mode, seed } = loop.experiment;
  const sizes = [...loop.state.poolTasks].filter(([added]) => added < epoch);
  const total = sizes.reduce((sum, [, size]) => sum + size, 0);
  if (mode === 'static' || mode === 'offline') return [];
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

/** Families that an epoch requests from the environment policy, and the context of each, by mode. */
import { append } from '../../shared/append.ts';
import type { EventOf } from '../../shared/journal/events.ts';
import { measureChange } from '../../shared/journal/measures.ts';
import { rejectionSchema, type Task } from '../../shared/records/task.ts';
import type { Trace } from '../../shared/records/trace.ts';
import { drawnByShare, interleaved } from '../byDomain.ts';
import { withSpare } from '../../shared/experiment/tasks/spare.ts';
import { mean, type Loop } from '../loop.ts';
import type { GenerationContext } from '../ports.ts';
import { Rng } from '../random.ts';
import { billedFor, type Billed } from '../spending/billed.ts';
import { attempt } from './attempts/attempt.ts';
import { smallestGroup } from './attempts/attemptPlan.ts';
import type { Outcome } from './attempts/attemptRound.ts';
import type { FamilyRequest } from './generate.ts';
import { GivenTasks, type Draw, type PoolTask } from './given.ts';

export interface Writing {
  families: FamilyRequest[];
  /** Draws of the tasks among their seeds that the environment wrote itself. */
  draws?: readonly Draw[];
  /** The cost of choosing them. */
  ranking?: { rollouts: number; tokens: number; billed: Billed | null };
}

/** An epoch's attempts, with those that ranked the seeds. */
export function withRanking(
  outcome: Outcome,
  { billed, ...ranking }: NonNullable<Writing['ranking']>,
): Outcome & Pick<EventOf<'rollouts.finished'>, 'ranking'> {
  const { rollouts, tokens, sampled = 0, sent = 0 } = outcome;
  return {
    ...outcome,
    ...{ rollouts: rollouts + ranking.rollouts, tokens: tokens === null ? null : tokens + ranking.tokens, ranking },
    ...(billed !== null && { sampled: sampled + billed.sampled, sent: sent + billed.sent }),
  };
}

/** Families to write in this epoch, or null when the mode writes none now. */
export async function familiesToWrite(loop: Loop, epoch: number): Promise<Writing | null> {
  const { mode, generation, rollouts, seed } = loop.experiment;
  if (mode === 'offline' || (mode === 'static' && epoch > 1)) return null;
  if (mode === 'release') return rankedFamilies(loop, epoch);
  const count = mode === 'static' ? generation.staticFamilies : withSpare(generation.families, rollouts.spare);
  const variations = mode === 'static' ? generation.staticVariations : generation.variations;
  const { perSeed, editShare } = generation;
  const given = new GivenTasks(loop, epoch);
  const seeds = drawnByShare(loop.domains, loop.base, count, (base, part, stream) => {
    const wanted = Math.ceil(part / perSeed);
    const edited = editShare === 0 ? [] : given.drawEdits(Math.round(wanted * editShare), stream);
    const others = drawSeeds(base, wanted - edited.length, Rng.from(seed, 'seeds', epoch, ...stream));
    return [...edited, ...others].flatMap((one) => new Array<Task | PoolTask>(perSeed).fill(one)).slice(0, part);
  });
  const tasks = await Promise.all(seeds.map(async (one) => ('prompt' in one ? one : given.poolTask(one))));
  const families = requests(
    loop,
    epoch,
    tasks.filter((task) => task !== undefined),
    variations,
  );
  return { families, ...(given.draws.length > 0 && { draws: given.draws }) };
}

/** Different seeds while there are enough, then the same again. */
function drawSeeds(base: readonly Task[], count: number, rng: Rng): Task[] {
  const seeds: Task[] = [];
  while (seeds.length < count && base.length > 0) append(seeds, rng.pick(base, count - seeds.length));
  return seeds;
}

function requests(loop: Loop, epoch: number, seeds: readonly Task[], variations: number): FamilyRequest[] {
  const { curriculum } = loop.experiment;
  return seeds.map((task, f) => ({
    id: `e${epoch}.f${f}`,
    context: {
      seed: task,
      recentSuccess: editedSuccess(loop, task) ?? toldSuccess(loop, task),
      target: curriculum.alpha,
      ...(loop.experiment.generation.condition && historyOf(loop, epoch, task)),
    },
    variations,
  }));
}

/** The success rate at a task that is edited; null for every other seed, and without `generation.condition`. */
const editedSuccess = ({ experiment, state }: Loop, { id, origin }: Task): number | null =>
  experiment.generation.condition && origin === 'generated' ? (state.seen.get(id)?.p ?? null) : null;

/** Number of earlier families of a seed in its context: older ones say little about the current agent. */
const mostAncestors = 10;

/** The outcomes of earlier texts, as far as they are journaled. */
function historyOf(
  { state, domains }: Loop,
  epoch: number,
  { id }: Task,
): Pick<GenerationContext, 'lineage' | 'rejected'> {
  const lineage = [...state.scores]
    .filter(([scored]) => scored < epoch)
    .flatMap(([scored, families]) =>
      families.flatMap(({ seed, successRate }) => (seed === id ? [{ epoch: scored, successRate: successRate.p }] : [])),
    )
    .slice(-mostAncestors);
  // With several domains the summary has only the sum.
  const tally = domains === null ? (state.summaries.at(-1)?.rejected ?? {}) : {};
  const rejected = rejectionSchema.options.flatMap((cause) => {
    const count = tally[cause] ?? 0;
    return count === 0 ? [] : [{ cause, note: '', count }];
  });
  return { ...(lineage.length > 0 && { lineage }), ...(rejected.length > 0 && { rejected }) };
}

/**
 * The success rate of the agent in the environment's context: on the seed's domain in the epoch before. Null before the
 * first measurement, and without `generation.condition`.
 */
export function toldSuccess(loop: Loop, { domain }: Task): number | null {
  if (!loop.experiment.generation.condition) return null;
  const last = loop.state.summaries.at(-1);
  // The rates of an earlier judge say nothing about the next tasks.
  const since = measureChange('attempts', loop.state.changes)?.epoch ?? 0;
  const newest = last === undefined || last.epoch < since ? undefined : last;
  const own = loop.domains === null ? newest : newest?.domains?.find((one) => one.domain === domain);
  return own?.successRate.p ?? null;
}

/**
 * The algorithm of the public release: re-roll seeds, rank them by mean score, cut both ends by rank, one new task from
 * each survivor, environment frozen. Its slicing bug (an empty cut removes everything) is not kept.
 */
async function rankedFamilies(loop: Loop, epoch: number): Promise<Writing> {
  const { generation, seed, rollouts } = loop.experiment;
  const wanted = generation.families * generation.variations;
  const size = Math.ceil(wanted / (1 - 2 * generation.rankCut));
  const seeds = drawnByShare(loop.domains, loop.base, size, (base, part, stream) =>
    drawSeeds(base, Math.min(part, base.length), Rng.from(seed, 'rank', epoch, ...stream)),
  );
  const { groups, tokens } = await attempt(loop, {
    purpose: 'rank',
    epoch,
    tasks: seeds,
    group: generation.rankRollouts,
    minimum: smallestGroup(loop, generation.rankRollouts, 1),
    closed: loop.state.open?.generated !== undefined,
    temperature: rollouts.temperature,
    keepSequences: false,
  });
  const ranked = groups
    .flatMap(({ task, traces }) => {
      const score = meanReward(traces);
      return score === null ? [] : [{ task, score }];
    })
    .sort((a, b) => a.score - b.score);
  // A hard domain is not cut for being harder than another: ranks are within one.
  const survivors = [...Map.groupBy(ranked, ({ task }) => task.domain).values()].map((own) => {
    const cut = Math.floor(own.length * generation.rankCut);
    return own.slice(cut, own.length - cut).map(({ task }) => task);
  });
  return {
    families: requests(loop, epoch, interleaved(survivors), 1),
    ranking: {
      rollouts: groups.reduce((sum, { traces }) => sum + traces.length, 0),
      tokens,
      billed: billedFor(loop.experiment.endpoints, groups),
    },
  };
}

/** The rank criterion of a seed; null where no attempt at it could be judged, so that it has no rank. */
const meanReward = (traces: readonly Trace[]): number | null =>
  mean(traces.filter(({ verdict }) => verdict.error === undefined).map(({ verdict }) => verdict.reward));

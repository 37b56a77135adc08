/** Which families an epoch asks the environment policy for, and what it is told, in each mode. */
import { append } from '../../shared/append.ts';
import type { Task } from '../../shared/records/task.ts';
import type { Trace } from '../../shared/records/trace.ts';
import { drawnByShare, interleaved } from '../byDomain.ts';
import { mean, type Loop } from '../loop.ts';
import { Rng } from '../random.ts';
import { attempt, smallestGroup } from './attempts/attempt.ts';
import type { FamilyRequest } from './generate.ts';

interface Writing {
  families: FamilyRequest[];
  /** What it cost to choose them. */
  ranking?: { rollouts: number; tokens: number };
}

/** Families to write in this epoch, or null when the mode writes none now. */
export async function familiesToWrite(loop: Loop, epoch: number): Promise<Writing | null> {
  const { mode, generation, seed } = loop.experiment;
  if (mode === 'offline' || (mode === 'static' && epoch > 1)) return null;
  if (mode === 'release') return rankedFamilies(loop, epoch);
  const count = mode === 'static' ? generation.staticFamilies : generation.families;
  const variations = mode === 'static' ? generation.staticVariations : generation.variations;
  const seeds = drawnByShare(loop.domains, loop.base, count, (base, part, stream) =>
    drawSeeds(base, part, Rng.from(seed, 'seeds', epoch, ...stream)),
  );
  return { families: requests(loop, epoch, seeds, variations) };
}

/** Different seeds while there are enough, then the same again. */
function drawSeeds(base: readonly Task[], count: number, rng: Rng): Task[] {
  const seeds: Task[] = [];
  while (seeds.length < count && base.length > 0) append(seeds, rng.pick(base, count - seeds.length));
  return seeds;
}

function requests(loop: Loop, epoch: number, seeds: readonly Task[], variations: number): FamilyRequest[] {
  const { curriculum, generation } = loop.experiment;
  return seeds.map((task, f) => ({
    id: `e${epoch}.f${f}`,
    context: {
      seed: task,
      recentSuccess: generation.condition ? recentSuccessOf(loop, task) : null,
      target: curriculum.alpha,
    },
    variations,
  }));
}

/** The agent's measured success on the seed's domain in the epoch before; null before anything was measured. */
function recentSuccessOf(loop: Loop, { domain }: Task): number | null {
  const newest = loop.state.summaries.at(-1);
  const own = loop.domains === null ? newest : newest?.domains?.find((one) => one.domain === domain);
  return own?.successRate.p ?? null;
}

/**
 * What the public release does: re-roll seeds, rank them by mean score, cut both ends by rank, one new task from each
 * survivor, environment frozen. Its slicing bug (an empty cut removes everything) is not kept.
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
    ranking: { rollouts: groups.reduce((sum, { traces }) => sum + traces.length, 0), tokens },
  };
}

/** What a seed is ranked by; null where no checker could judge an attempt at it, so that it has no rank. */
const meanReward = (traces: readonly Trace[]): number | null =>
  mean(traces.filter(({ verdict }) => verdict.error === undefined).map(({ verdict }) => verdict.reward));

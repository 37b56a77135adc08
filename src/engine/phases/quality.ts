/** The quality of what an epoch wrote, from its records alone: a resumed run finds the same. */
import type { WrittenQuality } from '../../shared/journal/quality.ts';
import type { Task } from '../../shared/records/task.ts';
import type { Loop } from '../loop.ts';
import type { Counts } from '../math/divergence.ts';
import {
  compared,
  comparedText,
  wordCounts,
  writtenQuality,
  type ComparedText,
} from '../math/written/writtenQuality.ts';
import { Rng } from '../random.ts';
import { wordingOf } from '../wording.ts';

/** @param tasks everything that is recorded of the epoch @param seeds by id, those that were asked to be varied */
export async function qualityOf(
  loop: Loop,
  epoch: number,
  tasks: readonly Task[],
  seeds: ReadonlyMap<string, Task>,
): Promise<WrittenQuality | null> {
  const { domain } = loop.ports;
  const seedTexts = new Map<string, ComparedText>();
  for (const [id, seed] of seeds) seedTexts.set(id, comparedText(wordingOf(domain, seed)));
  const chosen = sampled(loop, epoch, tasks).map((task) => ({ task, text: comparedText(wordingOf(domain, task)) }));
  const finished = loop.state.summaries.map((summary) => summary.epoch);
  const [first, previous] = [finished[0], finished.at(-1)];
  const earlier = {
    first: await countsOf(loop, first),
    previous: await countsOf(loop, previous),
  };
  for (const known of loop.wordCounts.keys()) if (known !== first && known !== previous) loop.wordCounts.delete(known);
  loop.wordCounts.set(epoch, wordCounts(chosen.map(({ text }) => text)));
  const withSeeds = chosen.flatMap(({ task, text }) => {
    const seed = seedTexts.get(task.seed ?? '');
    return seed === undefined ? [] : [{ text, seed }];
  });
  return writtenQuality(withSeeds, earlier);
}

/** Words of an epoch that is finished, as they were counted when it was written; null where it wrote nothing. */
async function countsOf(loop: Loop, epoch: number | undefined): Promise<Counts | null> {
  if (epoch === undefined) return null;
  const known = loop.wordCounts.get(epoch);
  if (known !== undefined) return known.size === 0 ? null : known;
  const tasks = sampled(loop, epoch, await loop.ports.records.tasksOf(epoch));
  const counts = wordCounts(tasks.map((task) => comparedText(wordingOf(loop.ports.domain, task))));
  loop.wordCounts.set(epoch, counts);
  return counts.size === 0 ? null : counts;
}

/** Those tasks that are compared, in an order that does not depend on when each was written. */
function sampled({ experiment: { seed } }: Loop, epoch: number, tasks: readonly Task[]): Task[] {
  const accepted = tasks.filter(({ status, origin }) => status === 'accepted' && origin === 'generated');
  const inOrder = accepted.sort((a, b) => (a.id < b.id ? -1 : 1));
  return Rng.from(seed, 'quality', epoch).pick(inOrder, compared);
}

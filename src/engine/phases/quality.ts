/**
 * The quality of an epoch's texts, computed from its records alone: a resumed run gets the same. An embedding server, where
 * one is named, adds its figures, or the reason why it gave none: it never ends a run.
 */
import type { EmbeddedQuality } from '../../shared/journal/embeddedQuality.ts';
import type { WrittenQuality } from '../../shared/journal/quality.ts';
import type { Task } from '../../shared/records/task.ts';
import { tasksOfDomain } from '../byDomain.ts';
import type { Loop } from '../loop.ts';
import type { Counts } from '../math/divergence.ts';
import { embeddedFigures } from '../math/written/embeddedQuality.ts';
import {
  compared,
  comparedText,
  wordCounts,
  writtenQuality,
  type ComparedText,
} from '../math/written/writtenQuality.ts';
import { Rng } from '../random.ts';
import { defined } from '../../shared/defined.ts';
import { outOfRange } from '../../shared/outOfRange.ts';
import { wordingOf } from '../wording.ts';
import { messageOf } from '../../shared/messageOf.ts';

/** Characters of a text that are embedded, as many as are compared by words: models take some hundred tokens. */
const longest = 1024;

export interface Qualities {
  all: WrittenQuality | null;
  /** Of a run of several domains, by name. */
  ofDomains: ReadonlyMap<string, WrittenQuality>;
}

/** @param tasks all records of the epoch @param seeds the requested seeds by id */
export async function qualitiesOf(
  loop: Loop,
  epoch: number,
  tasks: readonly Task[],
  seeds: ReadonlyMap<string, Task>,
): Promise<Qualities> {
  const vectors = new Vectors(loop);
  const all = await qualityOf(loop, vectors, epoch, tasks, seeds);
  const ofDomains = new Map<string, WrittenQuality>();
  for (const { name } of loop.domains ?? []) {
    const own = await qualityOf(loop, vectors, epoch, tasks, seeds, name);
    if (own !== null) ofDomains.set(name, own);
  }
  return { all, ofDomains };
}

/** @param name restricts the texts to one of several domains; null for all */
async function qualityOf(
  loop: Loop,
  vectors: Vectors,
  epoch: number,
  tasks: readonly Task[],
  seeds: ReadonlyMap<string, Task>,
  name: string | null = null,
): Promise<WrittenQuality | null> {
  const { domain } = loop.ports;
  const seedTexts = new Map<string, { wording: string; text: ComparedText }>();
  for (const [id, seed] of seeds) seedTexts.set(id, textsOf(wordingOf(domain, seed)));
  const chosen = sampled(loop, epoch, tasks, name).map((task) => ({ task, ...textsOf(wordingOf(domain, task)) }));
  const finished = loop.state.summaries.map((summary) => summary.epoch);
  const [first, previous] = [finished[0], finished.at(-1)];
  const earlier = {
    first: await countsOf(loop, first, name),
    previous: await countsOf(loop, previous, name),
  };
  const own = countsIn(loop, name);
  for (const known of own.keys()) if (known !== first && known !== previous) own.delete(known);
  own.set(epoch, wordCounts(chosen.map(({ text }) => text)));
  const withSeeds = chosen.flatMap(({ task, ...own }) => {
    const seed = seedTexts.get(task.seed ?? '');
    return seed === undefined ? [] : [{ own, seed }];
  });
  const quality = writtenQuality(
    withSeeds.map(({ own, seed }) => ({ text: own.text, seed: seed.text })),
    earlier,
  );
  if (quality === null) return null;
  const embedded = await vectors.qualityOf(
    withSeeds.map(({ own, seed }) => ({ text: own.wording, seed: seed.wording })),
  );
  return { ...quality, ...defined({ embedded: embedded ?? undefined }) };
}

const textsOf = (wording: string): { wording: string; text: ComparedText } => ({
  wording,
  text: comparedText(wording),
});

/** The embedding server during one epoch: after a failure it is not asked for a further domain. */
class Vectors {
  readonly #loop: Loop;
  #failure: string | null = null;

  constructor(loop: Loop) {
    this.#loop = loop;
  }

  /** Null where no server is named. @throws the signal's reason */
  async qualityOf(tasks: readonly { text: string; seed: string }[]): Promise<EmbeddedQuality | null> {
    const { embedder, signal, log } = this.#loop.ports;
    if (embedder === undefined) return null;
    if (this.#failure !== null) return { failure: this.#failure };
    const texts = [...new Set(tasks.flatMap(({ text, seed }) => [embeddedText(text), embeddedText(seed)]))];
    try {
      const found = await embedder.embed(texts, signal);
      const vectorOf = new Map(texts.map((text, i) => [text, found[i] ?? outOfRange()]));
      const of = (text: string): Float32Array => vectorOf.get(embeddedText(text)) ?? outOfRange();
      return embeddedFigures(
        tasks.map(({ text, seed }) => ({ vector: of(text), seed: of(seed) })),
        embedder.model,
      );
    } catch (error) {
      if (signal.aborted) throw error;
      this.#failure = messageOf(error).slice(0, 1000);
      log.warn(`Diversity is measured by words alone in this epoch. ${this.#failure}`);
      return { failure: this.#failure };
    }
  }
}

/** Servers refuse a text of nothing. */
const embeddedText = (text: string): string => text.slice(0, longest).trim() || '-';

/** Words of an epoch that is finished, as they were counted when it was written; null where it wrote nothing. */
async function countsOf(loop: Loop, epoch: number | undefined, name: string | null): Promise<Counts | null> {
  if (epoch === undefined) return null;
  const all = countsIn(loop, name);
  const known = all.get(epoch);
  if (known !== undefined) return known.size === 0 ? null : known;
  const tasks = sampled(loop, epoch, await loop.ports.records.tasksOf(epoch), name);
  const counts = wordCounts(tasks.map((task) => comparedText(wordingOf(loop.ports.domain, task))));
  all.set(epoch, counts);
  return counts.size === 0 ? null : counts;
}

/** By epoch. */
function countsIn({ wordCounts: byDomain }: Loop, name: string | null): Map<number, Counts> {
  const known = byDomain.get(name ?? '') ?? new Map<number, Counts>();
  byDomain.set(name ?? '', known);
  return known;
}

/** Those tasks that are compared, in an order that does not depend on when each was written. */
function sampled({ experiment: { seed } }: Loop, epoch: number, tasks: readonly Task[], name: string | null): Task[] {
  const own = name === null ? tasks : tasksOfDomain(tasks, name);
  const accepted = own.filter(({ status, origin }) => status === 'accepted' && origin === 'generated');
  const inOrder = accepted.sort((a, b) => (a.id < b.id ? -1 : 1));
  return Rng.from(seed, 'quality', epoch, ...(name === null ? [] : [name])).pick(inOrder, compared);
}

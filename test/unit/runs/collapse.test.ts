/** The guard against collapse, on simulated runs: how often it is silent on healthy ones, and how soon it speaks. */
import assert from 'node:assert/strict';
import { comparedText, writtenQuality, type ComparedText } from '../../../src/engine/math/written/writtenQuality.ts';
import { Rng } from '../../../src/engine/random.ts';
import { WrittenGuards } from '../../../src/runs/facts/guards/writtenGuards.ts';
import type { EventOf } from '../../../src/shared/journal/events.ts';

interface World {
  /** Different seeds, families an epoch, tasks a family, words a task. */
  seeds: number;
  families: number;
  variations: number;
  words: number;
  /** Share of a seed's words that its variations keep. */
  kept: number;
  /** Words that every task of the domain begins with. */
  frame: number;
}

const epochs = 10;
const vocabulary = 2000;

/** Frequent words are much more frequent than rare ones, as in texts. */
const wordsOf = (rng: Rng, length: number): string[] =>
  Array.from({ length }, () => `w${Math.floor(vocabulary ** rng.next())}`);

/**
 * The guard's messages, epoch by epoch. @param collapsed by epoch, the share of the tasks that vary one and the same
 */
function said(world: World, run: number, collapsed: (epoch: number) => number): (string | null)[] {
  const rng = Rng.from('collapse', run, world.seeds, world.families);
  const frame = wordsOf(rng, world.frame);
  const varied = (words: readonly string[]): string[] =>
    words.map((word) => (rng.next() < world.kept ? word : (wordsOf(rng, 1)[0] ?? '')));
  const text = (words: readonly string[]): ComparedText => comparedText([...frame, ...words].join(' '));
  const seeds = Array.from({ length: world.seeds }, () => wordsOf(rng, world.words));
  const seedTexts = seeds.map(text);
  const theme = wordsOf(rng, world.words);
  const guards = new WrittenGuards(true);
  return Array.from({ length: epochs }, (_, i) => {
    const tasks = Array.from({ length: world.families }, () => rng.int(seeds.length)).flatMap((seed) =>
      Array.from({ length: world.variations }, () => {
        const varies = rng.next() < collapsed(i + 1) ? theme : (seeds[seed] ?? []);
        return { text: text(varied(varies)), seed: seedTexts[seed] ?? [] };
      }),
    );
    const quality = writtenQuality(tasks, { first: null, previous: null });
    guards.add(event(i + 1, tasks.length, quality));
    const [finding] = guards.findings().filter((found) => found !== null);
    return finding?.message ?? null;
  });
}

function event(epoch: number, written: number, quality: ReturnType<typeof writtenQuality>): EventOf<'tasks.generated'> {
  return {
    ...{ v: 1, seq: 0, at: 0, type: 'tasks.generated', epoch, families: 1, written, accepted: written, rejected: {} },
    ...{ tokens: 1, taskLength: 1, seconds: 1, ...(quality === null ? {} : { quality }) },
  };
}

/** Many seeds or few, short tasks or long, bold variations or timid ones, with and without words that all begin with. */
const worlds: World[] = [16, 64].flatMap((families) =>
  [2, 32, 544].flatMap((seeds) =>
    [8, 40].flatMap((words) =>
      [0.6, 0.95].flatMap((kept) =>
        [0, words, 2 * words].map((frame) => ({ families, seeds, words, kept, frame, variations: 2 })),
      ),
    ),
  ),
);

describe('the guard against collapse', () => {
  it('is silent on healthy runs: no alarm in 144 simulated ones', function () {
    this.timeout(120_000);
    const alarms = worlds.flatMap((world) =>
      Array.from({ length: 2 }, (_, run) => said(world, run, () => 0)).filter((all) => all.some((one) => one !== null)),
    );
    assert.equal(worlds.length * 2, 144);
    assert.deepEqual(alarms, []);
  });

  it('speaks two epochs after three quarters of the tasks vary one and the same, and until they do not', () => {
    const world = { families: 32, seeds: 100, variations: 4, words: 20, kept: 0.95, frame: 0 };
    for (let run = 0; run < 20; run++) {
      const told = said(world, run, (epoch) => (epoch >= 4 && epoch <= 7 ? 0.75 : 0));
      const spoken = told.map((message) => message !== null);
      assert.deepEqual(spoken, [false, false, false, false, true, true, true, false, false, false]);
      assert.match(told[4] ?? '', /^Collapse: (6\d|7\d|8\d) % of epoch 5’s tasks fall in one cluster/);
    }
  });

  it('knows a collapse that was there from the first epoch', () => {
    const world = { families: 32, seeds: 100, variations: 4, words: 20, kept: 0.95, frame: 0 };
    assert.ok(said(world, 0, () => 1)[1] !== null);
  });

  it('says nothing of few tasks', () => {
    const world = { families: 5, seeds: 100, variations: 3, words: 20, kept: 0.95, frame: 0 };
    assert.ok(said(world, 0, () => 1).every((message) => message === null));
  });
});

/** Samplers of given tasks against probabilities computed by hand, and what must hold of every draw. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { Rng } from '../../../../src/engine/random.ts';
import { draw, type Drawn, type DrawSettings, type Sampler } from '../../../../src/engine/samplers/draw.ts';
import { ageWeights, rankWeights } from '../../../../src/engine/samplers/plr.ts';
import { seenAfter, seenTogether, spreadOf, type Seen } from '../../../../src/engine/samplers/seen.ts';

const settings = (kind: Sampler, more: Partial<DrawSettings> = {}): DrawSettings => ({
  ...{ kind, temperature: 0.1, staleness: 0, alpha: 0.5, kMin: 0.25 },
  ...more,
});

const known = (p: number, { spread = 2 * p * (1 - p), epoch = 1, draws = 1 }: Partial<Seen> = {}): Seen => ({
  ...{ p, spread: spread ?? null, epoch, draws },
});

/** Weights as probabilities, in the places' order. */
function probabilities(logs: Float64Array): number[] {
  const weights = [...logs].map((log) => Math.exp(log));
  const sum = weights.reduce((all, weight) => all + weight, 0);
  return weights.map((weight) => weight / sum);
}

const near = (actual: readonly number[], expected: readonly number[], tolerance: number): void => {
  assert.equal(actual.length, expected.length);
  for (const [i, value] of actual.entries()) {
    assert.ok(Math.abs(value - (expected[i] ?? NaN)) <= tolerance, `${actual.join()} is not ${expected.join()}`);
  }
};

/** How often each candidate is the one that is drawn, of many single draws. */
function frequencies(seen: readonly (Seen | undefined)[], by: DrawSettings, epoch: number): number[] {
  const times = 20_000;
  const counts = seen.map(() => 0);
  for (let i = 0; i < times; i++) {
    const [one] = draw(seen, 1, by, epoch, Rng.from('frequency', i));
    assert.ok(one !== undefined);
    counts[one.at] = (counts[one.at] ?? 0) + 1;
  }
  return counts.map((count) => count / times);
}

describe('prioritised level replay', () => {
  const scores = Float64Array.of(0.1, 0.4, 0.2);

  it('draws by rank: (1/rank)^(1/β)', () => {
    near(probabilities(rankWeights(scores, 1, Rng.from('a'))), [0.1818, 0.5455, 0.2727], 5e-5);
    near(probabilities(rankWeights(scores, 0.1, Rng.from('a'))), [1.7e-5, 0.999, 0.00098], 5e-5);
  });

  it('draws by age: in proportion to the epochs since, and all alike where no epoch lies between', () => {
    near(probabilities(ageWeights(Float64Array.of(0, 2, 3))), [0, 0.4, 0.6], 1e-12);
    near(probabilities(ageWeights(Float64Array.of(0, 0))), [0.5, 0.5], 1e-12);
  });

  it('mixes both by ρ', () => {
    const seen = [0.1, 0.4, 0.2].map((spread, i) => known(0.5, { spread, epoch: [9, 7, 6][i] ?? 0 }));
    const mixed = frequencies(seen, settings('plr', { temperature: 1, staleness: 0.1 }), 10);
    // Of 20,000 draws a share has a standard error of 0.0036 at most.
    near(mixed, [0.1636, 0.5309, 0.3055], 0.015);
  });

  it('takes new tasks in proportion, and breaks ties by chance', () => {
    const seen = [known(0.5), known(0.5), undefined, undefined];
    near(frequencies(seen, settings('plr'), 2), [0.25, 0.25, 0.25, 0.25], 0.015);
  });

  it('scores a task by the spread of its rewards: 2p(1 − p) of verdicts, nothing of none', () => {
    assert.equal(spreadOf([1, 0, 0, 0]), 0.375);
    assert.equal(spreadOf([0.5, 0.5]), 0);
    assert.equal(spreadOf([]), null);
    assert.equal(spreadOf([1 / 3, 2 / 3, 0]), spreadOf([2 / 3, 0, 1 / 3]), 'whatever their order');
  });
});

describe('the band’s sampler', () => {
  const places = (drawn: readonly Drawn[]): number[] => drawn.map(({ at }) => at).sort((a, b) => a - b);
  const seen = [known(0), known(0.25), known(0.5), known(0.75), known(1), known(0.125)];

  it('draws inside the band, and the nearest where there are too few', () => {
    const band = settings('band');
    assert.deepEqual(places(draw(seen, 3, band, 2, Rng.from('a'))), [1, 2, 3]);
    assert.deepEqual(places(draw(seen, 4, band, 2, Rng.from('a'))), [1, 2, 3, 5]);
    const narrow = settings('band', { alpha: 0.9, kMin: 0.01 });
    assert.deepEqual(places(draw(seen, 2, narrow, 2, Rng.from('a'))), [3, 4]);
  });

  it('is blind to p̂ in its share by age', () => {
    const old = [known(0, { epoch: 1 }), known(0.5, { epoch: 9 })];
    const [one] = draw(old, 1, settings('band', { staleness: 1 }), 10, Rng.from('a'));
    assert.deepEqual(one, { at: 0, by: 'age', value: 8 });
  });
});

describe('easiest first', () => {
  it('goes through the set once, and then from high p̂ to low', () => {
    const p = [0.25, 1, 0.5, 0.75];
    const seen: (Seen | undefined)[] = p.map(() => undefined);
    const passes: number[][] = [];
    for (let epoch = 1; epoch <= 8; epoch++) {
      const [one] = draw(seen, 1, settings('easiest-first'), epoch, Rng.from('pass', epoch));
      assert.ok(one !== undefined);
      if (epoch % 4 === 1) passes.push([]);
      passes.at(-1)?.push(one.at);
      seen[one.at] = known(p[one.at] ?? 0, { draws: (seen[one.at]?.draws ?? 0) + 1, epoch });
    }
    assert.deepEqual(passes[0]?.toSorted(), [0, 1, 2, 3]);
    assert.deepEqual(passes[1], [1, 3, 2, 0]);
  });
});

describe('every draw', () => {
  const seen = fc.option(
    fc.record({
      p: fc.option(fc.integer({ min: 0, max: 8 }).map((k) => k / 8)),
      spread: fc.option(fc.integer({ min: 0, max: 4 }).map((k) => k / 8)),
      epoch: fc.integer({ min: 1, max: 9 }),
      draws: fc.integer({ min: 1, max: 5 }),
    }),
    { nil: undefined },
  );
  const by = fc.record({
    kind: fc.constantFrom<Sampler>('plr', 'band', 'easiest-first'),
    temperature: fc.constantFrom(0.001, 0.1, 1, 100),
    staleness: fc.constantFrom(0, 0.3, 1),
    alpha: fc.constantFrom(0.1, 0.5),
    kMin: fc.constantFrom(0, 0.25),
  });

  it('has as many different tasks as were asked for and are there, and is its stream’s alone', () => {
    fc.assert(
      fc.property(fc.array(seen, { maxLength: 30 }), fc.nat(40), by, fc.nat(), (some, count, settings, seed) => {
        const drawn = draw(some, count, settings, 10, Rng.from(seed));
        assert.equal(new Set(drawn.map(({ at }) => at)).size, Math.min(count, some.length));
        assert.ok(drawn.every(({ at }) => at >= 0 && at < some.length));
        assert.deepEqual(draw(some, count, settings, 10, Rng.from(seed)), drawn);
      }),
    );
  });

  it('draws each of very many candidates', () => {
    const many = Array.from({ length: 150_000 }, (_, i) => (i % 3 === 0 ? undefined : known((i % 9) / 8)));
    for (const kind of ['plr', 'band', 'easiest-first'] as const) {
      assert.equal(draw(many, 150_000, settings(kind, { staleness: 0.1 }), 5, Rng.from(1)).length, 150_000);
    }
  });
});

describe('what is known of tasks', () => {
  it('keeps the last judged attempts, counts visits, and remembers where a pool task was written', () => {
    const first = { id: 'a', successes: 1, attempts: 4, spread: 0.375, pooled: true } as const;
    const before = new Map(seenAfter(new Map(), 2, [first]));
    assert.deepEqual(before.get('a'), { p: 0.25, spread: 0.375, epoch: 2, draws: 1, written: 2 });
    const [[, after] = []] = seenAfter(before, 5, [{ id: 'a', successes: 0, attempts: 0, spread: null }]);
    assert.deepEqual(after, { p: 0.25, spread: 0.375, epoch: 5, draws: 2, written: 2 });
  });

  it('takes a family by its tasks of the newest epoch', () => {
    const some = [known(1, { epoch: 3 }), known(0, { epoch: 4, draws: 2 }), undefined, known(0.5, { epoch: 4 })];
    assert.deepEqual(seenTogether(some), { p: 0.25, spread: 0.25, epoch: 4, draws: 2 });
    assert.equal(seenTogether([undefined]), undefined);
  });
});

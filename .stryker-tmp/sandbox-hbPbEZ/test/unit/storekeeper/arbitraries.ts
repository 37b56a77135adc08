import fc from 'fast-check';
import { Rng } from '../../../src/engine/random.ts';
import type { Body } from '../../../src/benchmarks/storekeeper/body.ts';
import { randomBody } from '../../../src/benchmarks/storekeeper/randomBody.ts';
import { items } from '../../../src/benchmarks/storekeeper/vocabulary.ts';

/** Bodies over the whole language that the generator reaches. */
export const anyBody: fc.Arbitrary<Body> = fc
  .record({
    seed: fc.integer(),
    steps: fc.integer({ min: 1, max: 12 }),
    menu: fc.integer({ min: 1, max: 6 }),
    fillers: fc.integer({ min: 0, max: 6 }),
    expressions: fc.constantFrom(0, 0.3, 1),
    about: fc.uniqueArray(fc.constantFrom(...items), { maxLength: 2 }),
  })
  .map(({ seed, ...spec }) => randomBody(Rng.from('test', seed), spec));

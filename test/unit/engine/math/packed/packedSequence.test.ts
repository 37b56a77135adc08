import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { beginsWith, packSequence, packSequences } from '../../../../../src/engine/math/packed/packedSequence.ts';
import { appendTurn } from '../../../../../src/engine/math/sequence.ts';
import type { Sequence } from '../../../../../src/shared/records/trace.ts';

const token = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constantFrom(65_535, 65_536, 200_000));
const plain = (tokens: number[]): Sequence => ({ tokens, spans: [[0, tokens.length]], logprobs: tokens.map(() => -1) });

describe('packed sequences', () => {
  it('read as what they were, in every order, and written byte for byte', () => {
    fc.assert(
      fc.property(fc.array(fc.array(token, { maxLength: 12 }), { maxLength: 6 }), (lists) => {
        const packed = packSequences(lists.map(plain));
        assert.deepEqual(packed, lists.map(plain));
        assert.equal(JSON.stringify(packed.toReversed()), JSON.stringify(lists.map(plain).toReversed()));
        assert.deepEqual(packSequences(packed), packed);
      }),
    );
  });

  it('begin the same prompts as plain ones', () => {
    fc.assert(
      fc.property(fc.array(token), fc.array(token), fc.array(token), (before, tokens, prompt) => {
        const packed = packSequence(plain(tokens), packSequence(plain(before), undefined));
        for (const one of [prompt, [...tokens, ...prompt], tokens, tokens.slice(1)]) {
          assert.equal(beginsWith(one, packed), beginsWith(one, plain(tokens)));
        }
      }),
    );
  });

  it('are continued by the turns of an episode as plain ones are', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.array(fc.integer({ min: 0, max: 1 }), { maxLength: 4 }), token)), (turns) => {
        const sequences: Sequence[] = [];
        let expected: Sequence[] = [];
        for (const [promptTokens, answer] of turns) {
          const turn = { promptTokens, tokens: [answer], logprobs: [-1] };
          appendTurn(sequences, turn);
          // All plain, so that nothing is packed when the next turn comes.
          expected = structuredClone(expected);
          appendTurn(expected, turn);
        }
        assert.deepEqual(sequences, expected);
      }),
    );
  });

  it('that begin alike share their tokens', () => {
    const prompt = Array.from({ length: 4000 }, (_, i) => i);
    let sequences: Sequence[] = [];
    for (let turn = 0; turn < 200; turn++) sequences = [...sequences, plain([...prompt, 100_000 + turn])];
    const before = process.memoryUsage().arrayBuffers;
    const packed = packSequences(sequences);
    assert(process.memoryUsage().arrayBuffers - before < 200_000, '800,001 tokens in less than a byte each');
    assert.deepEqual(packed[199]?.tokens, sequences[199]?.tokens);
  });
});

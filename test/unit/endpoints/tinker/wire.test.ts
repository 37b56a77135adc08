import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ProtoError, protoFields, ProtoWriter } from '../../../../src/endpoints/tinker/wire/protoBytes.ts';
import {
  decodeSampleResult,
  encodeSampleResult,
  sampleResultJson,
  sampleResultOf,
  sampleResultSchema,
} from '../../../../src/endpoints/tinker/wire/sampling.ts';
import {
  decodeTrainRequest,
  decodeTrainResult,
  encodeTrainRequest,
  encodeTrainResult,
  trainRequestJson,
  trainRequestOf,
  trainRequestSchema,
  trainResultJson,
  trainResultOf,
  trainResultSchema,
} from '../../../../src/endpoints/tinker/wire/training.ts';

/** With the prototype that literals have, so that equality is of the values. */
const record = <T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }) => fc.record<T>(model, { noNullPrototype: true });
const token = fc.integer({ min: 0, max: 2 ** 31 - 1 });
const real = fc.float({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
const datum = fc.array(token, { minLength: 1, maxLength: 6 }).chain((tokens) => {
  const aligned = fc.array(real, { minLength: tokens.length, maxLength: tokens.length });
  return record({
    tokens: fc.constant(tokens),
    inputs: record({
      target_tokens: fc.array(token, { minLength: tokens.length, maxLength: tokens.length }),
      logprobs: aligned,
      advantages: aligned,
    }),
  });
});
const request = record({
  modelId: fc.string({ minLength: 1 }),
  seqId: fc.option(fc.integer({ min: 1, max: 2 ** 31 - 1 })),
  data: fc.array(datum, { maxLength: 4 }),
  loss: fc.constantFrom('cross_entropy', 'ppo'),
  config: fc.dictionary(
    fc.string({ minLength: 1 }).filter((name) => name !== '__proto__'),
    fc.double({ noNaN: true }),
    {
      noNullPrototype: true,
    },
  ),
  forwardOnly: fc.boolean(),
});
const json = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('tinker: messages', () => {
  it('a training request says the same as protobuf and as JSON', () => {
    fc.assert(
      fc.property(request, (asked) => {
        assert.deepEqual(decodeTrainRequest(encodeTrainRequest(asked)), asked);
        const finite = { ...asked, config: { clip_low_threshold: 0.8 } };
        assert.deepEqual(trainRequestOf(trainRequestSchema.parse(json(trainRequestJson(finite)))), finite);
      }),
    );
  });

  it('a training result says the same as protobuf and as JSON', () => {
    const result = record({
      logprobs: fc.array(fc.array(real, { maxLength: 5 }), { maxLength: 4 }),
      metrics: fc.constant({ 'loss:sum': 0.5 }),
    });
    fc.assert(
      fc.property(result, (given) => {
        assert.deepEqual(decodeTrainResult(encodeTrainResult(given)), given);
        assert.deepEqual(trainResultOf(trainResultSchema.parse(json(trainResultJson(given)))), given);
      }),
    );
  });

  it('a sample says the same as protobuf and as JSON, missing logprobs included', () => {
    const result = record({
      sequences: fc.array(
        record({
          stopReason: fc.constantFrom('stop' as const, 'length' as const),
          tokens: fc.array(token, { maxLength: 5 }),
          logprobs: fc.option(fc.array(real, { maxLength: 5 })),
        }),
        { maxLength: 3 },
      ),
      promptLogprobs: fc.option(fc.array(fc.option(real), { maxLength: 5 })),
    });
    fc.assert(
      fc.property(result, (given) => {
        assert.deepEqual(decodeSampleResult(encodeSampleResult(given)), given);
        assert.deepEqual(sampleResultOf(sampleResultSchema.parse(json(sampleResultJson(given)))), given);
      }),
    );
  });

  it('the bytes are those of the published field numbers', () => {
    const bytes = encodeTrainRequest({
      modelId: 'm',
      seqId: 300,
      data: [{ tokens: [7], inputs: { weights: [1] } }],
      loss: 'cross_entropy',
      config: {},
      forwardOnly: false,
    });
    const hex = Buffer.from(bytes).toString('hex');
    // model_id "m", seq_id 300; a datum: chunk { text { int32 7 } }, map entry "weights" → dense float32 1, dtype 1, shape [1].
    const datumHex =
      '0a080a060a0407000000' + '1216' + '0a0777656967687473' + '120b' + '0a040000803f' + '1801' + '220101';
    const length = (datumHex.length / 2).toString(16).padStart(2, '0');
    const loss = Buffer.from('cross_entropy').toString('hex');
    assert.equal(hex, `0a016d10ac021a${length}${datumHex}220d${loss}`);
  });

  it('cut or foreign bytes are an error, never a wrong message', () => {
    const whole = encodeSampleResult({
      sequences: [{ stopReason: 'length', tokens: [1, 2], logprobs: [-1, -2] }],
      promptLogprobs: null,
    });
    for (let end = 1; end < whole.length; end++) {
      assert.throws(() => decodeSampleResult(whole.subarray(0, end)), ProtoError, `${end} bytes`);
    }
    assert.throws(() => [...protoFields(Uint8Array.of(0x0b))], ProtoError);
    // A text of one byte that begins no character.
    assert.throws(() => decodeTrainRequest(Uint8Array.of(0x0a, 1, 0xff)), ProtoError);
    const beyond = new ProtoWriter().int(99, 2 ** 40).finish();
    assert.deepEqual(
      decodeSampleResult(beyond),
      { sequences: [], promptLogprobs: null },
      'unknown fields are passed over',
    );
    assert.deepEqual(
      [...protoFields(beyond)].map(({ value }) => value),
      [2 ** 40],
    );
  });
});

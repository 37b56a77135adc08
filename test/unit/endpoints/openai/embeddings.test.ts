import assert from 'node:assert/strict';
import * as z from 'zod';
import { EndpointError } from '../../../../src/endpoints/endpointError.ts';
import { KeyError, environmentKeys, type Keys } from '../../../../src/launch/access/keys.ts';
import { openEmbedder } from '../../../../src/launch/policies/openEmbedder.ts';
import { resolveExperiment } from '../../../../src/shared/experiment/resolve.ts';
import { experimentSchema } from '../../../../src/shared/experiment/schema.ts';
import { FastTime } from '../../../support/endpoints/fastTime.ts';
import { agreedKeys } from '../../../support/agreedKeys.ts';
import { sendJson, TestServer, type Handler } from '../../../support/endpoints/httpServer.ts';

const bodySchema = z.strictObject({
  model: z.string(),
  input: z.array(z.string().min(1)),
  encoding_format: z.literal('float'),
});
type Body = z.infer<typeof bodySchema>;

/** Twice as long as it should be, in the other order, as servers may. */
const vectors = ({ input }: Body): object => ({
  object: 'list',
  data: input.map((text, index) => ({ object: 'embedding', index, embedding: [2 * text.length, 0] })).toReversed(),
});

describe('an embedding server', () => {
  const closing: (() => Promise<void> | void)[] = [];
  const { signal } = new AbortController();

  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  async function serve(answer: (body: Body) => object, { status = 200, keys = agreedKeys({}), key = null }: How = {}) {
    const handler: Handler = (response, { body }) => {
      const asked = bodySchema.parse(JSON.parse(body));
      sendJson(response, answer(asked), status);
    };
    const server = await TestServer.start(handler);
    closing.push(() => server.stop());
    const named = { embeddingUrl: `${server.url}/v1`, embeddingModel: 'm', embeddingKey: key };
    const experiment = experimentSchema.parse(resolveExperiment({ preset: 'default', generation: named }));
    const log = { info: () => undefined, warn: () => undefined };
    const embedder = openEmbedder(experiment, { keys, log, time: new FastTime(20) });
    assert(embedder !== null);
    closing.push(() => embedder.close());
    return { server, embedder };
  }
  interface How {
    status?: number;
    keys?: Keys;
    key?: string | null;
  }

  it('is asked for each text once, 64 at a time, and gives vectors of length 1 in the order of the texts', async () => {
    const { server, embedder } = await serve(({ input, ...rest }) => ({
      data: input.map((text, index) => ({ index, embedding: [Number(text), 1000] })).toReversed(),
      rest,
    }));
    const texts = Array.from({ length: 100 }, (_, i) => String(i + 1));
    const all = await embedder.embed([...texts, '7'], signal);
    assert.equal(all.length, 101);
    all.forEach((vector, i) => {
      const value = i === 100 ? 7 : i + 1;
      assert.ok(Math.abs((vector[0] ?? NaN) - value / Math.hypot(value, 1000)) < 1e-6);
    });
    const sizes = () => server.asked.map(({ body }) => bodySchema.parse(JSON.parse(body)).input.length);
    assert.deepEqual(sizes(), [64, 36]);
    assert.equal(server.asked[0]?.path, '/v1/embeddings');
    await embedder.embed(['7', '8', '500'], signal);
    assert.deepEqual(sizes(), [64, 36, 1]);
  });

  it('gets its key at its own origin alone', async () => {
    const environment = { KEY: 'sk-embedding' };
    const { server, embedder } = await serve(vectors, { keys: environmentKeys(environment), key: '${env:KEY}' });
    await assert.rejects(embedder.embed(['a'], signal), (error) => KeyError.is(error, 'not-allowed'));
    assert.deepEqual(server.asked, []);
    const keys = environmentKeys(environment, [{ key: '${env:KEY}', origin: server.url }]);
    const again = await serve(vectors, { keys, key: '${env:KEY}' });
    await assert.rejects(again.embedder.embed(['a'], signal), (error) => KeyError.is(error, 'not-allowed'));
    const agreed = await serve(vectors, { keys: agreedKeys(environment), key: '${env:KEY}' });
    await agreed.embedder.embed(['a'], signal);
    assert.equal(agreed.server.asked[0]?.headers.authorization, 'Bearer sk-embedding');
  });

  for (const [what, answer, said] of [
    ['too few vectors', () => ({ data: [{ index: 0, embedding: [1] }] }), /1 vectors for 2 texts/],
    [
      'the same text twice',
      ({ input }) => ({ data: input.map(() => ({ index: 0, embedding: [1] })) }),
      /2 vectors for/,
    ],
    ['zeros', ({ input }) => ({ data: input.map((_, index) => ({ index, embedding: [0, 0] })) }), /has no direction/],
    [
      'different lengths',
      ({ input }) => ({ data: input.map((_, index) => ({ index, embedding: Array(index + 1).fill(1) })) }),
      /different lengths/,
    ],
    ['text', ({ input }) => ({ data: input.map((_, index) => ({ index, embedding: ['x'] })) }), /not as expected/],
    [
      'a matrix, a row a token',
      ({ input }) => ({ data: input.map((_, index) => ({ index, embedding: [[1], [2]] })) }),
      /not as expected/,
    ],
  ] as const satisfies [string, (body: Body) => object, RegExp][]) {
    it(`that gives ${what} is told so`, async () => {
      const { embedder } = await serve(answer);
      await assert.rejects(embedder.embed(['a', 'b'], signal), (error) => {
        assert.ok(EndpointError.is(error, 'malformed'));
        assert.match(error.message, said);
        return true;
      });
    });
  }

  it('that fails is asked three times, and no more', async () => {
    const { server, embedder } = await serve(() => ({ error: { message: 'out of memory' } }), { status: 500 });
    await assert.rejects(embedder.embed(['a'], signal), /out of memory after 3 attempts/);
    assert.equal(server.asked.length, 3);
  });
});

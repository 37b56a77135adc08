/** Errors of a protocol client: it gets a message, and can continue. */
import assert from 'node:assert/strict';
import * as z from 'zod';
import { input, TestServer } from '../../support/serve/testServer.ts';

const steppedSchema = z.object({ type: z.literal('optim_step') });
const passedSchema = z.object({
  loss_fn_outputs: z.array(z.object({ logprobs: z.object({ data: z.array(z.number()) }) })),
});

describe('a request that is refused', function () {
  this.timeout(240_000);
  const server = new TestServer();
  before(() => server.start());
  after(() => server.stop());

  it('does not hold up those with later numbers', async () => {
    const model = await server.model(0);
    const step = (seq_id: number, learning_rate: number) => ({
      model_id: model,
      seq_id,
      adam_params: { learning_rate },
    });
    const datum = pass([16, 20, 17, 21], [1, 1, 1, 1]);
    const forward_backward_input = { data: [datum], loss_fn: 'cross_entropy' };
    await server.post('optim_step', step(1, -1), 422);
    const text = JSON.stringify(step(2, 0)).replace('"learning_rate":0', '"learning_rate":NaN');
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${server.server.url}/api/v1/optim_step`, { method: 'POST', body: text, headers });
    assert.equal(answer.status, 400);
    await server.post(
      'load_weights',
      { model_id: model, seq_id: 3, path: 'tinker://a/weights/b', optimizer: true },
      400,
    );
    await server.ask('forward_backward', { model_id: model, seq_id: 4, forward_backward_input });
    steppedSchema.parse(await server.ask('optim_step', step(5, 1e-3)));
  });

  it('is one for what the server cannot tell, and none that is tried again', async () => {
    const asked = { base_model: 'genenv/agent', prompt: input([1, 2]), sampling_params: { max_tokens: 1 } };
    await server.post('asample', { ...asked, topk_prompt_logprobs: 3 }, 400);
    const { status, headers } = await fetch(
      `${server.server.url}/api/v1/training_runs/a/checkpoints/weights/b/publish`,
      { method: 'POST' },
    );
    assert.deepEqual([status, headers.get('x-should-retry')], [400, 'false']);
  });

  it('is none for targets that count nothing: tinker-cookbook writes 0 over the prompt', async () => {
    const model = await server.model(1);
    const forward = async (seq_id: number, targets: number[]): Promise<number | undefined> => {
      const forward_input = { data: [pass(targets, [0, 0, 0, 1])], loss_fn: 'cross_entropy' };
      const answered = await server.ask('forward', { model_id: model, seq_id, forward_input });
      const parsed = passedSchema.safeParse(answered);
      assert.ok(parsed.success, JSON.stringify(answered));
      const result = parsed.data;
      return result.loss_fn_outputs[0]?.logprobs.data[3];
    };
    const right = await forward(1, [16, 20, 17, 21]);
    assert.equal(typeof right, 'number');
    assert.equal(await forward(2, [0, 0, 0, 21]), right);
  });
});

/** Four tokens, what is to follow each, and how much that counts. */
function pass(targets: number[], weights: number[]): unknown {
  return {
    model_input: input([3, 16, 20, 17]),
    loss_fn_inputs: {
      target_tokens: { data: targets, dtype: 'int64', shape: [4] },
      weights: { data: weights, dtype: 'float32', shape: [4] },
    },
  };
}

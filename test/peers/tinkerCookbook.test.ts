/** The official Tinker SDK and tinker-cookbook's own RL loop against `genenv serve`. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as z from 'zod';
import { outOfRange } from '../../src/shared/outOfRange.ts';
import { Workspace } from '../support/genenv.ts';
import { peerPython } from '../support/peers/pythons.ts';
import { served, stop } from '../support/serve/served.ts';
import { skip } from '../support/skip.ts';

const loop = fileURLToPath(new URL('../support/peers/cookbook_loop.py', import.meta.url));
const steps = 6;
/** Of each batch, as the loop logs it; the optimiser's metrics are absent where no group had a mixed outcome. */
const metrics = z.array(z.looseObject({ 'reward/total': z.number(), grad_norm: z.number().optional() }));
const toldSchema = z.object({
  importance_sampling: metrics,
  cispo: metrics,
  ids: z.array(z.array(z.int())),
  template: z.string(),
  refused: z.array(z.object({ said: z.string(), seconds: z.number() })),
  after: z.record(z.string(), z.number()),
  checkpoints: z.array(z.string()),
});

describe('tinker-cookbook on genenv serve', function () {
  this.timeout(600_000);
  const workspace = new Workspace();
  let told: z.infer<typeof toldSchema> | null = null;
  before(async function () {
    this.timeout(2_400_000);
    const found = await peerPython('tinker-cookbook');
    if ('why' in found) skip(this, `tinker-cookbook cannot be installed: ${found.why}`);
    const server = await served(workspace, ['--state', 'state']);
    const env = {
      ...process.env,
      ...{ TINKER_API_KEY: 'tml-local', HF_ENDPOINT: server.url, HF_HOME: join(workspace.dir, 'hub') },
      ...{ HF_HUB_DISABLE_TELEMETRY: '1', WANDB_MODE: 'disabled' },
    };
    const asked = [loop, server.url, join(workspace.dir, 'logs'), String(steps), 'importance_sampling,cispo'];
    const { stdout } = await promisify(execFile)(found.python, asked, { env, maxBuffer: 1e8, timeout: 500_000 });
    await stop(server);
    told = toldSchema.parse(JSON.parse(stdout.trim().split('\n').at(-1) ?? ''));
  });
  after(() => workspace.remove());
  const ofLoop = (): z.infer<typeof toldSchema> => told ?? assert.fail('it told nothing');

  for (const loss of ['importance_sampling', 'cispo'] as const) {
    it(`learns what is rewarded, by its minimal loop with ${loss}`, () => {
      const batches = ofLoop()[loss];
      assert.equal(batches.length, steps);
      const rewards = batches.map((batch) => batch['reward/total']);
      const [first = outOfRange(), last = outOfRange()] = [rewards[0], rewards.at(-1)];
      assert(first < 0.4 && last > 0.8, rewards.join(' '));
      for (const { grad_norm: norm = 1 } of batches) assert(Number.isFinite(norm) && norm > 0);
      assert((batches[0]?.grad_norm ?? 0) > 0, 'a step was done');
    });
  }

  it('finds the tokenizer of a served model by its name, of both clients', () => {
    const { ids, template } = ofLoop();
    assert.deepEqual(ids, [ids[0], ids[0]]);
    assert.equal(ids[0]?.length, 3);
    assert.equal(template, 'MENU REQ rice <end>');
  });

  it('is told at once what the server does not do, and goes on', () => {
    const { refused, after, checkpoints } = ofLoop();
    const expected = [/learning_rate.*received null/, /learning_rate.*>=0/, /not permitted with seq_id/];
    const rest = [/no loss 'stable_reinforce'/, /cannot be made public/, /topk_prompt_logprobs 0/];
    for (const [i, pattern] of [...expected, ...rest].entries()) {
      const { said = '', seconds = 60 } = refused[i] ?? {};
      assert.match(said, pattern);
      assert(seconds < 20, `${said} after ${seconds} s`);
    }
    assert((after['loss:sum'] ?? 0) > 0);
    assert.deepEqual(checkpoints, ['weights/kept']);
  });
});

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as z from 'zod';
import { Workspace } from '../support/genenv.ts';
import { served, stop } from '../support/serve/served.ts';
import { skip } from '../support/skip.ts';
import { tinkerSdk, versions, type TinkerSdk } from '../support/tinker-sdk/install.ts';
import { outOfRange } from '../../src/shared/outOfRange.ts';

const client = fileURLToPath(new URL('../support/tinker-sdk/client.py', import.meta.url));
const numbers = z.array(z.number());
const toldSchema = z.object({
  version: z.string(),
  models: z.array(z.string()),
  rank: z.int(),
  tokens: z.array(numbers),
  logprobs: z.array(numbers),
  promptLogprobs: z.array(z.number().nullable()),
  losses: numbers,
  path: z.string(),
  scored: z.array(z.number().nullable()),
  after: numbers,
});

/** Faults that this client tolerates: it gives up on a training call whose promise was forgotten. */
const badNight = ['500=0.1', 'drop-before=0.05', 'drop-after=0.1', '429=0.05', 'html=0.05'].flatMap((fault) =>
  ['asample', 'forward_backward', 'optim_step'].flatMap((call) => ['--fault', `${fault}@${call}`]),
);
const badPolls = ['408=0.1@retrieve_future', '500=0.1@retrieve_future'].flatMap((fault) => ['--fault', fault]);

describe('the official Tinker SDK as a client', function () {
  this.timeout(400_000);
  const workspace = new Workspace();
  let sdk: TinkerSdk | null = null;

  before(async function () {
    let why = '';
    sdk = await tinkerSdk((reason) => (why = reason));
    if (sdk === null) skip(this, `the Tinker SDK cannot be installed: ${why}`);
  });
  after(() => workspace.remove());

  async function told(version: string, faults: string[] = []): Promise<z.infer<typeof toldSchema>> {
    assert.ok(sdk);
    const server = await served(workspace, ['--state', `state-${version}-${faults.length}`, ...faults]);
    const env = { ...process.env, PYTHONPATH: sdk.path(version) };
    const { stdout } = await promisify(execFile)(sdk.python, [client, server.url], { env, timeout: 180_000 });
    await stop(server);
    return toldSchema.parse(JSON.parse(stdout.trim().split('\n').at(-1) ?? ''));
  }

  for (const version of versions) {
    it(`${version} samples, trains, saves, restores and scores`, async () => {
      const { tokens, logprobs, promptLogprobs, losses, path, scored, after, ...rest } = await told(version);
      assert.deepEqual(rest, { version, models: ['genenv/agent', 'genenv/environment'], rank: 8 });
      assert.deepEqual(
        tokens.map(({ length }) => length),
        logprobs.map(({ length }) => length),
      );
      // On the policy that sampled, every ratio is 1: the loss is minus the number of sampled tokens; then it falls.
      assert.ok(Math.abs((losses[0] ?? outOfRange()) + tokens.flat().length) < 1e-4);
      assert.ok(
        (losses[2] ?? outOfRange()) < (losses[1] ?? outOfRange()) &&
          (losses[1] ?? outOfRange()) < (losses[0] ?? outOfRange()),
      );
      assert.match(path, /^tinker:\/\/[^/]+\/weights\/s1$/);
      assert.equal(promptLogprobs[0], null);
      // The restored model is the trained one: its logprobs of the prompt equal those with which training continues.
      assert.deepEqual(scored.slice(1), after.slice(0, scored.length - 1));
      assert.notDeepEqual(scored, promptLogprobs);
    });
  }

  it('gets the same on a bad night', async () => {
    const version = versions[1];
    const [calm, bad] = [await told(version), await told(version, [...badNight, ...badPolls])];
    assert.deepEqual({ ...bad, path: '' }, { ...calm, path: '' });
  });
});

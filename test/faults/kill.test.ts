/** SIGKILL in every phase of a run whose policies live on a server: resumed, it ends as an undisturbed one. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import type { Difference } from '../../src/serve/differences.ts';
import { dist } from '../support/built.ts';
import { childProgram } from '../support/faults/childProgram.ts';
import { RemoteRun } from '../support/faults/remoteRun.ts';

/**
 * Requests of one phase: what was under way may be asked for again, what had finished may not. An update that was cut
 * short scores its sequences again.
 */
const mostAgain = 40;

/** Runs until it lands, or is killed once it has said what `killAt` begins with. */
async function runProcess(run: RemoteRun, killAt: string | null): Promise<string> {
  const [resume = null] = await readdir(run.root).catch(() => []);
  const task = JSON.stringify({
    root: run.root,
    dist: dist.href,
    speed: run.speed,
    experiment: run.experiment(),
    resume,
  });
  const running = spawn(process.execPath, [await childProgram(), task], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  running.stderr.on('data', (piece: Buffer) => (said += piece.toString()));
  running.stdout.on('data', (piece: Buffer) => {
    said += piece.toString();
    if (killAt !== null && said.includes(killAt)) running.kill('SIGKILL');
  });
  run.faults.onCall = (path) => {
    if (path.endsWith('/asample')) run.samplings += 1;
    if (killAt !== null && path.endsWith(killAt)) running.kill('SIGKILL');
  };
  await new Promise((resolve) => running.on('close', resolve));
  return said;
}

describe('a run on a server that is killed', () => {
  let expected: Record<string, string> = {};
  let samplings = 0;
  let undisturbed: string[] = [];

  const quietly = async (
    use: (run: RemoteRun) => Promise<void>,
    differences: readonly Difference[] = [],
  ): Promise<void> => {
    const run = new RemoteRun(dist);
    try {
      await run.serve({ differences });
      await use(run);
    } finally {
      await run.remove();
    }
  };

  /** Tokens that the server has sampled and read. */
  const spent = async (run: RemoteRun): Promise<string[]> => {
    const metrics = await (await fetch(`${run.server.url}/metrics`)).text();
    return metrics.split('\n').filter((line) => /^genenv:(generation|prompt)_tokens_total/.test(line));
  };

  before(() =>
    quietly(async (run) => {
      assert.match(await runProcess(run, null), /landed finished/);
      samplings = run.samplings;
      undisturbed = await spent(run);
      expected = await run.contents();
    }),
  );

  it('in the middle of attempts pays for nothing twice: what was under way is taken up again', async () => {
    assert(undisturbed.length > 0);
    for (const moment of ['generate 1 1', 'attempt 1 1', 'attempt 1 9']) {
      await quietly(async (run) => {
        const killed = await runProcess(run, moment);
        assert(!killed.includes('landed'), killed);
        assert.match(await runProcess(run, null), /landed finished/);
        assert.deepEqual(await spent(run), undisturbed, moment);
        assert.deepEqual(await run.contents(), expected);
      });
    }
  });

  for (const moment of [
    'event run.started',
    'validate 0 3',
    'event validated',
    'event epoch.started',
    'generate 1 3',
    'event tasks.generated',
    'attempt 1 7',
    'event rollouts.finished',
    'event families.scored',
    'event agent.updated',
    'event environment.updated',
    'event pools.grown',
    '/forward_backward',
    '/optim_step',
    '/save_weights',
    '/save_weights_for_sampler',
    '/create_model',
  ]) {
    it(`after “${moment}” goes on and ends as an undisturbed one`, () =>
      quietly(async (run) => {
        const killed = await runProcess(run, moment);
        assert(!killed.includes('landed'), killed);
        const resumed = await runProcess(run, null);
        assert.match(resumed, /landed finished/);
        assert.deepEqual(await run.contents(), expected);
        assert(run.samplings <= samplings + mostAgain, `${run.samplings} samplings for ${samplings}`);
      }));
  }

  for (const moment of ['/save_weights', '/save_weights_for_sampler']) {
    it(`after “${moment}” continues on a server that takes each name once, as SkyRL does`, () =>
      quietly(
        async (run) => {
          const killed = await runProcess(run, moment);
          assert(!killed.includes('landed'), killed);
          assert.match(await runProcess(run, null), /landed finished/);
          assert.deepEqual(await run.contents(), expected);
        },
        ['names-once'],
      ));
  }
});

/** Whole runs on a server that has a bad night: they end as on a good one. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EndpointError } from '../../src/endpoints/endpointError.ts';
import type { Fault, FaultRule } from '../../src/serve/faults/faults.ts';
import { FaultyDisk } from '../support/runs/faultyFiles.ts';
import { dist } from '../support/built.ts';
import { RemoteRun } from '../support/faults/remoteRun.ts';
import { onlyRun } from '../support/runContents.ts';

describe('a run on a server that', () => {
  let expected: Record<string, string> = {};
  let run = new RemoteRun(dist);

  before(async () => {
    const quiet = new RemoteRun(dist);
    try {
      await quiet.serve();
      const landing = await quiet.start();
      assert.equal(landing.state, 'finished', landing.error?.stack);
      expected = await quiet.contents();
    } finally {
      await quiet.remove();
    }
  });

  beforeEach(async () => {
    run = new RemoteRun(dist);
    await run.serve();
  });

  afterEach(() => run.remove());

  async function endsAsOnAGoodNight(): Promise<void> {
    const landing = await run.start();
    assert.equal(landing.state, 'finished', landing.error?.stack);
    assert.deepEqual(await run.contents(), expected);
  }

  async function goesOnAsOnAGoodNight(): Promise<void> {
    const landing = await run.resume();
    assert.equal(landing.state, 'finished', landing.error?.stack);
    assert.deepEqual(await run.contents(), expected);
  }

  it('fails every fifth request in mixed ways ends as on a good night', async () => {
    const share = (fault: Fault, share: number): FaultRule => ({ fault, share });
    run.inject(
      share('429', 0.02),
      share('500', 0.05),
      share('drop-before', 0.04),
      share('drop-after', 0.04),
      share('truncated', 0.04),
      share('html', 0.04),
      share('wrong-count', 0.03),
      share('nan', 0.03),
      share('408', 0.02),
      share('410', 0.02),
    );
    await endsAsOnAGoodNight();
    assert(run.injectedShare >= 0.2, `only ${(100 * run.injectedShare).toFixed(0)} % went wrong`);
    assert(run.faults.happened.size >= 8, [...run.faults.happened.keys()].join(' '));
  });

  for (const [name, ...rules] of [
    ['refuses in bursts', { fault: '429', share: 0.15 }],
    [
      'breaks connections before and after the work',
      { fault: 'drop-before', share: 0.15 },
      { fault: 'drop-after', share: 0.15 },
    ],
    ['cuts its answers', { fault: 'truncated', share: 0.25 }],
    ['stands behind a proxy that answers with pages', { fault: 'html', share: 0.25 }],
    [
      'answers with too few results, and with NaN',
      { fault: 'wrong-count', share: 0.12 },
      { fault: 'nan', share: 0.12 },
    ],
    ['forgets its promises', { fault: '410', share: 0.25 }],
    ['lets answers trickle', { fault: 'slow-loris', share: 0.05, times: 3 }],
    ['is slow', { fault: 'slow-future', share: 0.3, times: 6 }],
  ] satisfies [string, ...FaultRule[]][]) {
    it(`${name} ends as on a good night`, async () => {
      run.inject(...rules);
      await endsAsOnAGoodNight();
      assert(run.faults.happened.size === rules.length, [...run.faults.happened].join(' '));
    });
  }

  for (const path of ['asample', 'forward_backward', 'optim_step', 'save_weights']) {
    it(`begins again at a call of ${path}: the run ends as on a good night, resumed where it must be`, async () => {
      run.inject({ fault: 'restart', share: 1, times: 1, path });
      let landing = await run.start();
      for (let resumed = 0; landing.state === 'paused' && resumed < 3; resumed++) {
        assert(EndpointError.is(landing.error, 'gone'), landing.error?.stack);
        landing = await run.resume();
      }
      assert.equal(landing.state, 'finished', landing.error?.stack);
      assert.equal(run.faults.happened.get('restart'), 1);
      assert.deepEqual(await run.contents(), expected);
    });
  }

  it('begins again now and then ends as on a good night', async () => {
    run.inject({ fault: 'restart', share: 0.02, times: 3 });
    await endsAsOnAGoodNight();
    assert((run.faults.happened.get('restart') ?? 0) > 0);
  });

  it('begins again at the first update goes on by itself from the newest checkpoints, and says so', async () => {
    run.inject({ fault: 'restart', share: 1, times: 1, path: 'optim_step' });
    await endsAsOnAGoodNight();
    const sessions = await readFile(join(run.root, await onlyRun(run.root), 'sessions.jsonl'), 'utf8');
    assert.match(
      sessions,
      /"type":"started"[^]*"type":"restored","reason":"[^"]*does not know the model[^]*"type":"finished"/,
    );
    assert.match(run.notes.join('\n'), /The updates of epoch 1 restart from their checkpoints; samples are kept/);
  });

  it('begins again and again in one update pauses the run after a few times; resumed, it ends as on a good night', async () => {
    run.faults.onCall = (path) => {
      if (path.endsWith('/create_model')) run.inject({ fault: 'restart', share: 1, times: 1, path: 'optim_step' });
    };
    const landing = await run.start();
    assert.equal(landing.state, 'paused', landing.error?.stack);
    assert(EndpointError.is(landing.error, 'gone'), landing.error?.stack);
    const sessions = await readFile(join(run.root, await onlyRun(run.root), 'sessions.jsonl'), 'utf8');
    assert.equal(sessions.match(/"type":"restored"/g)?.length, 3);
    run.faults.onCall = () => undefined;
    run.inject();
    await goesOnAsOnAGoodNight();
  });

  for (const [fault, reason, advice] of [
    ['401', 'credentials', /Check the key/],
    ['402', 'billing', /balance|bill/],
    // As good as away: out of memory, or behind a proxy that is lost.
    ['500', 'failed', /status 500/],
  ] as const) {
    it(`says ${fault} in the middle pauses the run with advice; resumed, it ends as on a good night`, async () => {
      let answered = 0;
      const landing = await run.start(
        {},
        {
          onProgress: ({ phase }) => {
            if (phase === 'attempt' && ++answered === 3) run.inject({ fault, share: 1, path: 'asample' });
          },
        },
      );
      assert.equal(landing.state, 'paused', landing.error?.stack);
      assert(EndpointError.is(landing.error, reason), landing.error?.stack);
      assert.match(landing.error.message, advice);
      assert.match(landing.error.message, /POST \/api\/v1\/asample/);
      run.inject();
      await goesOnAsOnAGoodNight();
    });
  }

  it('is away pauses the run; resumed when it is back, it ends as on a good night', async () => {
    const landing = await run.start(
      {},
      {
        onEvent: ({ type }) => {
          if (type === 'rollouts.finished') run.inject({ fault: 'drop-before', share: 1 });
        },
      },
    );
    assert.equal(landing.state, 'paused', landing.error?.stack);
    assert(EndpointError.is(landing.error, 'unreachable'), landing.error?.stack);
    run.inject();
    await goesOnAsOnAGoodNight();
  });

  it('meets a clock that jumps by hours ends as on a good night', async () => {
    let calls = 0;
    const hours = 3_600_000;
    const clock = { now: () => Date.now() + (++calls % 3 === 0 ? -5 * hours : calls % 2 === 0 ? 7 * hours : 0) };
    const landing = await run.start({}, { clock });
    assert.equal(landing.state, 'finished', landing.error?.stack);
    assert.deepEqual(await run.contents(), expected);
  });

  it('works for a run whose disk is full: it pauses, and ends as on a good night once there is space', async () => {
    const disk = new FaultyDisk();
    const landing = await run.start(
      {},
      {
        disk: disk.files,
        onEvent: ({ type }) => {
          if (type === 'tasks.generated') disk.space = 4000;
        },
      },
    );
    assert.equal(landing.state, 'paused', landing.error?.stack);
    assert.match(landing.error?.message ?? '', /disk is full/);
    await goesOnAsOnAGoodNight();
  });
});

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { frame } from '../../../src/cli/live/frame.ts';
import { liveState, onEvent, onProgress, outlookOf, type LiveState } from '../../../src/cli/live/liveState.ts';
import { bytesOf } from '../../support/cli.ts';
import { displayWidth } from '../../../src/cli/text/displayWidth.ts';
import type { Progress } from '../../../src/engine/ports.ts';
import { applyEvent, emptyState } from '../../../src/engine/state.ts';
import { resolveExperiment } from '../../../src/shared/experiment/resolve.ts';
import { journalOf } from '../../support/journal.ts';

const rates = [0.14, 0.2, 0.31, 0.42, 0.47, 0.52, 0.5, 0.47];
const validations = ['0110000000', '0110000000', '0111000000', '0111000000', '0111100000', '0111100000', '0111101000'];
const experiment = resolveExperiment({
  name: 'demo',
  preset: 'embedded',
  epochs: 20,
  curriculum: { kMin: 0.1 },
});
const events = journalOf(
  rates.map((p, i) => ({
    successes: Math.round(448 * p),
    attempts: 448,
    ...(validations[i] === undefined ? {} : { validation: validations[i] }),
  })),
  '0100000000',
);

/** A run whose eighth epoch was just scored and is being trained on. */
function watched(): LiveState {
  let state = liveState('20261121-demo', experiment, emptyState, 0);
  let now = 0;
  for (const event of events) {
    if (event.type === 'agent.updated' && event.epoch === 8) break;
    now += 1000;
    state = onEvent(state, event, applyEvent(state.run, event), now);
  }
  state = { ...state, rates: { rollouts: 1240.4, tokens: 45_310 } };
  state = onProgress(state, { phase: 'update environment', epoch: 8, done: 1, total: 3, tokens: 0 }, now + 400);
  return onProgress(state, { phase: 'update agent', epoch: 8, done: 5, total: 12, tokens: 0 }, now + 500);
}
/** Seven epochs of 2.5 s are done; the eighth began at 45 s and is half done. */
const at = 46_250;
const draw = (state: LiveState, width: number, height = 24): string[] =>
  frame(state, at, { width, height }).map(String);

describe('the live picture of a run', () => {
  it('has the band as it was changed before the run was resumed', () => {
    const changes = [{ epoch: 3, field: 'curriculum.alpha', to: 0.3 }];
    const state = liveState('20261121-demo', experiment, { ...emptyState, changes }, 0);
    assert.equal(state.experiment.curriculum.alpha, 0.3);
  });

  it('names the server that answers nothing under the bar', () => {
    const silences = [{ url: 'http://gpu1:8000', seconds: 48, what: 'connection refused' }];
    const [, bar, where, told] = draw({ ...watched(), silences }, 120);
    assert.match(`${bar} ${where}`, /left .*epoch 8/);
    assert.equal(told, 'no answer from gpu1:8000 for 48 s: connection refused');
  });

  it('on a wide terminal', () => {
    assert.deepEqual(draw(watched(), 120), [
      'demo  coevolve  20261121-demo',
      '━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━────────────────────────────────────────────────────  37 %  31 s left',
      'epoch 8/20   training agent 5/12   training environment 1/3',
      'p̂ 0.47 [0.43, 0.52]  │····················─━━●━━────····················│  band 0.40–0.60',
      'R_env 0.90   7 of 14 families kept   effective sample 6.5   KL agent 0.012   KL environment 0.034',
      'p̂ by epoch  ▂▂▃▄▄▅▅',
      'validation  ▁▃▃▄▄▆▆█   50.0 %, at first 10.0 %',
      '1,240 rollouts/s   45,310 tokens/s',
    ]);
  });

  it('at 60 cells', () => {
    assert.deepEqual(draw(watched(), 60), [
      'demo  coevolve  20261121-demo',
      '━━━━━━━━━━━━━━━━───────────────────────────  37 %  31 s left',
      'epoch 8/20   training agent 5/12   training environment 1/3',
      'p̂ 0.47 [0.43, 0.52]  │········━●━──········│  band 0.40–0.60',
      'R_env 0.90   7 of 14 families kept   effective sample 6.5',
      'KL agent 0.012   KL environment 0.034',
      'p̂ by epoch  ▂▂▃▄▄▅▅',
      'validation  ▁▃▃▄▄▆▆█   50.0 %, at first 10.0 %',
      '1,240 rollouts/s   45,310 tokens/s',
    ]);
  });

  it('at 30 cells', () => {
    assert.deepEqual(draw(watched(), 30), [
      'demo  coevolve  20261121-demo',
      '━━━━━────────  37 %  31 s left',
      'epoch 8/20',
      'training agent 5/12',
      'training environment 1/3',
      'p̂ 0.47 [0.43, 0.52]',
      'band 0.40–0.60',
      'R_env 0.90',
      '7 of 14 families kept',
      'effective sample 6.5',
      'KL agent 0.012',
      'KL environment 0.034',
      'p̂ by epoch  ▂▂▃▄▄▅▅',
      'validation  ▁▃▃▄▄▆▆█',
      '50.0 %, at first 10.0 %',
      '1,240 rollouts/s',
      '45,310 tokens/s',
    ]);
  });

  it('before anything is known', () => {
    assert.deepEqual(draw(liveState('20261121-demo', experiment, emptyState, at), 60), [
      'demo  coevolve  20261121-demo',
      '──────────────────────────────  0 %  time left not known yet',
      'epoch 0/20   opening the models',
    ]);
  });

  it('when it is finished', () => {
    const run = events.reduce(applyEvent, emptyState);
    assert.deepEqual(draw(liveState('20261121-demo', experiment, run, at), 60).slice(0, 3), [
      'demo  coevolve  20261121-demo',
      '━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━  100 %  done',
      'epoch 8/20   All epochs are done.',
    ]);
  });

  it('when it is pausing', () => {
    assert.match(draw({ ...watched(), ending: 'pausing' }, 60)[1] ?? '', / {2}37 % {2}pausing$/);
  });

  it('leaves out what matters least on a low terminal', () => {
    assert.deepEqual(draw(watched(), 60, 3), draw(watched(), 60).slice(0, 3));
    assert.equal(draw(watched(), 60, 0).length, 1);
  });

  it('fits any terminal, and says the same in colour', () => {
    const bare = (line: string): string => line.replace(/\u001B\[[0-9]+m/g, '');
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 30 }), (width, height) => {
        const lines = draw(watched(), width, height);
        assert.ok(lines.length <= height);
        for (const line of lines) assert.ok(displayWidth(line) <= width, `${displayWidth(line)} > ${width}: ${line}`);
        const painted = frame(watched(), at, { width, height });
        assert.deepEqual(
          painted.map((line) => bare(bytesOf(line, { colours: true }))),
          lines,
        );
      }),
    );
  });
});

describe('what a watcher reckons', () => {
  it('how much is done and left, from the last epochs’ times', () => {
    assert.deepEqual(outlookOf(watched(), at), { share: 7.5 / 20, secondsLeft: 12.5 * 2.5 });
    assert.deepEqual(outlookOf(watched(), at + 50_000), { share: 7.95 / 20, secondsLeft: 12 * 2.5 });
    assert.deepEqual(outlookOf(watched(), at + 70_000), { share: 7.95 / 20, secondsLeft: null }, 'held up');
    assert.deepEqual(outlookOf(watched(), 0), { share: 7 / 20, secondsLeft: 13 * 2.5 });
    assert.deepEqual(outlookOf(liveState('x', experiment, emptyState, 0), 5000), { share: 0, secondsLeft: null });
    const run = events.reduce(applyEvent, emptyState);
    assert.deepEqual(outlookOf(liveState('x', experiment, run, 0), 5000), { share: 1, secondsLeft: 0 });
  });

  it('a job that waits, that begins, and that is at a step', () => {
    const told = (progress: Pick<Progress, 'done' | 'total' | 'job'>): string => {
      const start = liveState('x', experiment, emptyState, 0);
      const state = onProgress(start, { phase: 'agent job', epoch: 1, tokens: 0, ...progress }, 0);
      return draw(state, 120)[2] ?? '';
    };
    assert.match(told({ done: 0, total: 0, job: 'queued' }), / {3}attempting and training agent: job queued$/);
    assert.match(told({ done: 0, total: 0, job: 'running' }), /: job at step 0$/);
    assert.match(told({ done: 3, total: 8, job: 'running' }), /: job at step 3\/8$/);
  });

  it('speed, once a phase has settled, and keeps it until the next', () => {
    const start = liveState('x', experiment, emptyState, 0);
    const early = onProgress(start, { phase: 'attempt', epoch: 1, done: 10, total: 512, tokens: 200 }, 1000);
    assert.equal(early.rates, null);
    const later = onProgress(early, { phase: 'attempt', epoch: 1, done: 110, total: 512, tokens: 2200 }, 2000);
    assert.deepEqual(later.rates, { rollouts: 110, tokens: 2200 });
    const next = onProgress(later, { phase: 'update agent', epoch: 1, done: 1, total: 9, tokens: 0 }, 3000);
    assert.deepEqual(next.rates, { rollouts: 110, tokens: 2200 });
    assert.deepEqual(
      next.phases.map(({ phase }) => phase),
      ['update agent'],
    );
  });
});

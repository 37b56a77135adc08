import assert from 'node:assert/strict';
import { watcherFor } from '../../../src/cli/live/watcher.ts';
import { applyEvent, emptyState } from '../../../src/engine/state.ts';
import { resolveExperiment } from '../../../src/shared/experiment/resolve.ts';
import type { Stream } from '../../../src/cli/terminal.ts';
import { fakeStream, fakeTerminal } from '../../support/cli.ts';
import { journalOf } from '../../support/journal.ts';
import { Screen } from '../../support/screen.ts';

const experiment = resolveExperiment({ name: 'demo', preset: 'embedded', epochs: 2, curriculum: { kMin: 0.1 } });
const events = journalOf(
  [
    { successes: 14, attempts: 100 },
    { successes: 47, attempts: 100 },
  ],
  '0110000000',
);

function watch(watcher: ReturnType<typeof watcherFor>): void {
  let state = emptyState;
  watcher.started('20261121-demo', experiment, state);
  for (const event of events) {
    state = applyEvent(state, event);
    watcher.event(event, state);
  }
  watcher.warn('the disk is slow');
  watcher.info('a detail');
  watcher.close('finished');
}

const choice = { silent: false, plain: false, verbose: false };

describe('a run that is watched', () => {
  it('is a line an epoch where there is no terminal', () => {
    const terminal = fakeTerminal();
    watch(watcherFor(terminal, choice));
    assert.deepEqual(terminal.out.text.split('\n'), [
      'demo: mode coevolve, run 20261121-demo',
      'start  validation 20.0 % of 10 held-out attempts',
      'epoch 1/2  p̂ 0.14 [0.09, 0.22], too hard  R_env 0.90  kept 7/14  effective sample 6.5  KL agent 0.012, environment 0.034  ' +
        '512 rollouts and 20,000 tokens in 2.5 s',
      'epoch 2/2  p̂ 0.47 [0.38, 0.57], in band  R_env 0.90  kept 7/14  effective sample 6.5  KL agent 0.012, environment 0.034  ' +
        '512 rollouts and 20,000 tokens in 2.5 s',
      'All epochs are done.',
      '',
    ]);
    assert.equal(terminal.err.text, 'warning: the disk is slow\n');
  });

  it('is plain on a dumb terminal and where that is asked for, and detailed where that is', () => {
    for (const [env, over] of [
      [{ TERM: 'dumb' }, {}],
      [{ TERM: 'xterm' }, { plain: true }],
    ] as const) {
      const out = fakeStream({ isTTY: true });
      watch(watcherFor({ ...fakeTerminal({ env }), out }, { ...choice, ...over }));
      assert.match(out.text, /^demo: mode coevolve/);
      assert.ok(!out.text.includes('\u001B'));
    }
    const terminal = fakeTerminal();
    watch(watcherFor(terminal, { ...choice, verbose: true }));
    assert.match(terminal.err.text, /a detail/);
  });

  it('says nothing on standard output to programs, and warnings to people', () => {
    const terminal = fakeTerminal();
    watch(watcherFor(terminal, { ...choice, silent: true }));
    assert.equal(terminal.out.text, '');
    assert.equal(terminal.err.text, 'warning: the disk is slow\n');
  });

  it('warns once of a server that answers nothing, and again when it falls silent anew', () => {
    const terminal = fakeTerminal();
    const watcher = watcherFor(terminal, choice);
    watcher.started('20261121-demo', experiment, emptyState);
    const silence = { url: 'http://gpu1:8000', seconds: 12, what: 'connection refused' };
    watcher.silent([silence]);
    watcher.silent([{ ...silence, seconds: 17 }]);
    watcher.silent([]);
    watcher.silent([{ ...silence, seconds: 11 }]);
    assert.equal(
      terminal.err.text,
      'warning: no answer from gpu1:8000 for 12 s: connection refused\n' +
        'warning: no answer from gpu1:8000 for 11 s: connection refused\n',
    );
  });

  it('is one picture on a terminal, with what was said above it', () => {
    const screen = new Screen(70, 20);
    const out: Stream = fakeStream({ columns: 70, rows: 20, isTTY: true }, (bytes) => screen.write(bytes));
    watch(watcherFor({ ...fakeTerminal({ env: { TERM: 'xterm' } }), out }, choice));
    assert.deepEqual(screen.lines(), [
      'warning: the disk is slow',
      'demo  coevolve  20261121-demo',
      '━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━  100 %  done',
      'epoch 2/2   All epochs are done.',
      'p̂ 0.47 [0.38, 0.57]  │···········━━━●━━━─············│  band 0.40–0.60',
      'R_env 0.90   7 of 14 families kept   effective sample 6.5',
      'KL agent 0.012   KL environment 0.034',
      'p̂ by epoch  ▂▄',
      'validation   20.0 %',
    ]);
    assert.equal(screen.cursorShown, true);
  });
});

import assert from 'node:assert/strict';
import { ProgressLine } from '../../../src/cli/live/progressLine.ts';
import type { Terminal } from '../../../src/cli/terminal.ts';
import { fakeStream } from '../../support/cli.ts';

/** A terminal whose time a test sets. */
function terminalOf(isTTY: boolean) {
  const state = { now: 1000, text: '' };
  const err = fakeStream({ isTTY, columns: 80 }, (bytes) => (state.text += bytes));
  const terminal: Terminal = { out: err, err, env: {}, cwd: '', timezoneOffset: () => 0, now: () => state.now };
  return { state, line: new ProgressLine(terminal) };
}

describe('how far a command is', () => {
  it('is a line every so often where nobody watches, and the last one with the totals', () => {
    const { state, line } = terminalOf(false);
    for (let done = 0; done < 250; done++) {
      state.now += 100;
      line.show(`${done} of 250`, false);
    }
    line.show('250 of 250', true);
    line.end();
    assert.deepEqual(state.text.split('\n'), ['99 of 250', '199 of 250', '250 of 250', '']);
  });

  it('is nothing where it was soon over, and one line that changes on a terminal', () => {
    const log = terminalOf(false);
    log.line.show('1 of 2', false);
    log.line.show('2 of 2', true);
    assert.equal(log.state.text, '');
    const screen = terminalOf(true);
    screen.line.show('1 of 2', false);
    screen.line.show('2 of 2', true);
    screen.line.end();
    assert.match(screen.state.text, /1 of 2[^]*2 of 2/);
  });
});

import assert from 'node:assert/strict';
import { Painter } from '../../../src/cli/live/painter.ts';
import { fakeStream } from '../../support/cli.ts';
import { Screen } from '../../support/screen.ts';

describe('redrawing in place', () => {
  it('replaces the block and nothing above it', () => {
    const screen = new Screen(20, 6);
    const out = fakeStream({ columns: 20, isTTY: true }, (bytes) => screen.write(bytes));
    screen.write('before\n');
    const painter = new Painter(out);
    painter.draw(['one', 'two', 'three']);
    assert.deepEqual(screen.lines(), ['before', 'one', 'two', 'three']);
    painter.draw(['ONE', 'second']);
    assert.deepEqual(screen.lines(), ['before', 'ONE', 'second']);
    painter.above('a warning\n');
    assert.deepEqual(screen.lines(), ['before', 'a warning', 'ONE', 'second']);
    painter.draw(['1', '2', '3']);
    painter.finish();
    screen.write('after\n');
    assert.deepEqual(screen.lines(), ['before', 'a warning', '1', '2', '3', 'after']);
    assert.equal(screen.cursorShown, true);
  });

  it('hides the cursor while it draws and scrolls with the terminal', () => {
    const screen = new Screen(20, 3);
    const painter = new Painter(fakeStream({ columns: 20, isTTY: true }, (bytes) => screen.write(bytes)));
    screen.write('a\nb\nc\n');
    painter.draw(['1', '2']);
    assert.equal(screen.cursorShown, false);
    painter.draw(['3', '4']);
    assert.deepEqual(screen.lines(), ['a', 'b', 'c', '3', '4']);
  });

  it('finds its block again after the terminal became narrower', () => {
    const screen = new Screen(20, 8);
    let columns = 20;
    const painter = new Painter({
      ...fakeStream({ isTTY: true }, (bytes) => screen.write(bytes)),
      get columns() {
        return columns;
      },
    });
    screen.write('top\n');
    painter.draw(['0123456789abcdef', 'x']);
    screen.reflow(10);
    columns = 10;
    painter.draw(['short', 'y']);
    assert.deepEqual(screen.lines(), ['top', 'short', 'y']);
  });
});

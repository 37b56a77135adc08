import assert from 'node:assert/strict';
import { mock } from 'node:test';
import type { FieldEdit } from '../../../../src/shared/experiment/text/textEdit.ts';
import { Pending } from '../../../../webview/lib/pending.ts';

const alpha = (to: number): FieldEdit => ({ path: ['curriculum', 'alpha'], to });
const beta = (to: number): FieldEdit => ({ path: ['curriculum', 'beta'], to });

describe('what is typed into the form', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  function started() {
    const sent: (readonly FieldEdit[])[] = [];
    const answers: (() => void)[] = [];
    const pending = new Pending({
      send: (edits) => {
        sent.push(edits);
        return new Promise((resolve) => answers.push(resolve));
      },
      changed: () => undefined,
    });
    return { pending, sent, answers };
  }

  it('reaches the document after a pause, as one edit however many keys it took', () => {
    const { pending, sent } = started();
    for (const value of [0.5, 0.51, 0.52]) {
      pending.later(alpha(value));
      mock.timers.tick(200);
    }
    assert.deepEqual(sent, []);
    assert.deepEqual(pending.edits, [alpha(0.52)]);
    mock.timers.tick(400);
    assert.deepEqual(sent, [[alpha(0.52)]]);
  });

  it('goes with a choice that is made before the pause, in one edit', () => {
    const { pending, sent } = started();
    pending.later(alpha(0.6));
    pending.now({ path: ['mode'], to: 'random' });
    assert.deepEqual(sent, [[alpha(0.6), { path: ['mode'], to: 'random' }]]);
  });

  it('is shown until the document says it', async () => {
    const { pending, answers } = started();
    pending.now(alpha(0.6));
    pending.later(beta(4));
    assert.deepEqual(pending.edits, [alpha(0.6), beta(4)]);
    answers[0]?.();
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(pending.edits, [beta(4)]);
  });

  it('can be dropped before it is sent, and not after', () => {
    const { pending, sent } = started();
    pending.now(alpha(0.6));
    assert.equal(pending.drop(), false);
    pending.later(beta(4));
    assert.equal(pending.drop(), true);
    mock.timers.tick(1000);
    assert.equal(sent.length, 1);
    assert.deepEqual(pending.edits, [alpha(0.6)]);
  });

  it('is handed over once to whoever saves', () => {
    const { pending, sent } = started();
    pending.later(alpha(0.6));
    const taken = pending.take();
    assert.deepEqual(taken.edits, [alpha(0.6)]);
    mock.timers.tick(1000);
    assert.deepEqual(sent, []);
    assert.deepEqual(pending.edits, [alpha(0.6)]);
    taken.arrived();
    assert.deepEqual(pending.edits, []);
  });
});

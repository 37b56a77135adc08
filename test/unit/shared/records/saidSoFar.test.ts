/** Of attempts under way only the newest is passed on, however long they are. */
import assert from 'node:assert/strict';
import { saidSoFar, saidSoFarSchema } from '../../../../src/shared/records/saidSoFar.ts';
import type { Message } from '../../../../src/shared/records/message.ts';

const said = (content: string): Message => ({ role: 'assistant', content, tokens: [1, 2], reasoning: 'why' });

describe('what was said so far', () => {
  it('is the newest turns, as they are while they are short', () => {
    const messages: Message[] = [
      ...Array.from({ length: 8 }, (_, i) => said(`turn ${i}`)),
      { role: 'tool', name: 'f1', content: 'rice' },
    ];
    const { attempts, first } = saidSoFar([{ id: 'e1/t/r0', messages }]);
    assert.equal(attempts, 1);
    const turns = ['turn 1', 'turn 2', 'turn 3', 'turn 4', 'turn 5', 'turn 6', 'turn 7'];
    const newest = [
      ...turns.map((content) => ({ role: 'assistant', content })),
      { role: 'tool', content: 'rice', name: 'f1' },
    ];
    assert.deepEqual(first, [{ id: 'e1/t/r0', said: 9, newest }]);
  });

  it('keeps to its size with many long attempts, cuts no pair and says how many there are', () => {
    const messages = Array.from({ length: 100 }, () => said('😀'.repeat(50_000)));
    const all = saidSoFar(Array.from({ length: 300 }, (_, i) => ({ id: `r${i}`, messages })));
    assert.deepEqual([all.attempts, all.first.length], [300, 48]);
    const wire = JSON.stringify(all);
    assert.ok(wire.length < 1 << 18, `${wire.length}`);
    assert.ok(!/\\ud8/.test(wire), 'each character is whole');
    assert.deepEqual(saidSoFarSchema.parse(JSON.parse(wire)), all);
  });

  it('is short enough for its wire at worst', () => {
    const messages = Array.from({ length: 9 }, () => said('\0'.repeat(3_000)));
    for (const many of [1, 10, 48, 1_000]) {
      const all = saidSoFar(Array.from({ length: many }, (_, i) => ({ id: `e1.f${i}/r${i}`, messages })));
      assert.ok(JSON.stringify(saidSoFarSchema.parse(all)).length < 1 << 20);
    }
  });
});

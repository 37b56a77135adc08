import assert from 'node:assert/strict';
import { Expansion, type Memory } from '../../../../src/host/trees/expansion.ts';

/** A workspace's memory, as the editor keeps it: what was written is what is read, as JSON. */
class Kept implements Memory {
  readonly #text = new Map<string, string>();

  get(key: string): unknown {
    const text = this.#text.get(key);
    return text === undefined ? undefined : JSON.parse(text);
  }

  update(key: string, value: unknown): Promise<void> {
    this.#text.set(key, JSON.stringify(value));
    return Promise.resolve();
  }
}

describe('trees: rows left open', () => {
  it('are known again in the next window, until they are closed', () => {
    const memory = new Kept();
    const first = new Expansion(memory, 'open');
    first.set('run', true);
    first.set('run/3', true);
    first.set('run', false);
    const second = new Expansion(memory, 'open');
    assert.deepEqual([second.has('run'), second.has('run/3')], [false, true]);
    assert.equal(new Expansion(memory, 'another tree').has('run/3'), false);
  });

  it('are the newest when they are very many', () => {
    const memory = new Kept();
    const expansion = new Expansion(memory, 'open');
    for (let i = 0; i < 500; i++) expansion.set(`row ${i}`, true);
    expansion.set('row 350', true);
    for (let i = 500; i < 600; i++) expansion.set(`row ${i}`, true);
    const later = new Expansion(memory, 'open');
    assert.deepEqual([later.has('row 0'), later.has('row 350'), later.has('row 599')], [false, true, true]);
    const all = memory.get('open');
    assert.ok(Array.isArray(all) && all.length <= 200);
  });

  it('are none when the memory holds something else', () => {
    const memory = new Kept();
    void memory.update('open', { run: true });
    assert.equal(new Expansion(memory, 'open').has('run'), false);
  });
});

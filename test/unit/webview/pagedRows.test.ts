/** Which rows of a long list are asked for, and which are shown meanwhile. */
import assert from 'node:assert/strict';
import { PagedRows } from '../../../webview/lib/lists/pagedRows.ts';

/** A host that answers on command. */
class SlowHost {
  readonly asked: [number, number][] = [];
  arrived = 0;
  readonly failures: unknown[] = [];
  readonly rows: PagedRows<string>;
  #name = 'a';
  #answers: { settle: () => void; fail: (error: Error) => void }[] = [];

  constructor() {
    this.rows = new PagedRows<string>({
      ask: (from, to) => {
        this.asked.push([from, to]);
        const name = this.#name;
        return new Promise((resolve, reject) => {
          const rows = Array.from({ length: to - from }, (_, i) => `${name}${from + i}`);
          this.#answers.push({ settle: () => resolve(rows), fail: reject });
        });
      },
      arrived: () => (this.arrived += 1),
      failed: (error) => this.failures.push(error),
    });
  }

  rename(name: string): void {
    this.#name = name;
  }

  async answer(error?: Error): Promise<void> {
    const next = this.#answers.shift();
    assert.ok(next !== undefined, 'something was asked');
    if (error === undefined) next.settle();
    else next.fail(error);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('rows asked for in pages', () => {
  it('are known once they came, and not asked for twice', async () => {
    const host = new SlowHost();
    host.rows.need(0, 30);
    assert.equal(host.rows.at(3), undefined);
    await host.answer();
    assert.equal(host.rows.at(3), 'a3');
    assert.equal(host.arrived, 1);
    host.rows.need(10, 60);
    assert.deepEqual(host.asked, [[0, 64]]);
  });

  it('are asked for where the list came to rest, not all the way there', async () => {
    const host = new SlowHost();
    host.rows.need(0, 30);
    for (let from = 1000; from <= 900_000; from += 1000) host.rows.need(from, from + 30);
    await host.answer();
    await host.answer();
    assert.deepEqual(host.asked, [
      [0, 64],
      [899_968, 900_032],
    ]);
    assert.equal(host.rows.at(900_001), 'a900001');
  });

  it('stay in sight while they are asked for anew', async () => {
    const host = new SlowHost();
    host.rows.need(0, 30);
    await host.answer();
    host.rename('b');
    host.rows.refresh();
    assert.equal(host.rows.at(3), 'a3');
    await host.answer();
    assert.equal(host.rows.at(3), 'b3');
  });

  it('of an older order are dropped when they come late', async () => {
    const host = new SlowHost();
    host.rows.need(0, 30);
    host.rename('b');
    host.rows.clear();
    host.rows.need(0, 30);
    await host.answer();
    assert.equal(host.rows.at(3), undefined);
    await host.answer();
    assert.equal(host.rows.at(3), 'b3');
  });

  it('that cannot be had are asked for again only when something moves', async () => {
    const host = new SlowHost();
    host.rows.need(0, 30);
    await host.answer(new Error('the file is gone'));
    assert.equal(host.failures.length, 1);
    assert.equal(host.asked.length, 1);
    host.rows.need(0, 30);
    assert.equal(host.asked.length, 2);
  });

  it('are forgotten, the oldest first, and never those in sight', async () => {
    const host = new SlowHost();
    for (let page = 0; page < 200; page++) {
      host.rows.need(page * 64, page * 64 + 40);
      await host.answer();
    }
    assert.equal(host.rows.at(0), undefined);
    assert.equal(host.rows.at(199 * 64), `a${199 * 64}`);
  });
});

import assert from 'node:assert/strict';
import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AskedSamples, questionKey } from '../../../../src/endpoints/tinker/askedSamples.ts';

describe('tinker: samples that were asked for', () => {
  let folder = '';
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'genenv-asked-'))));
  afterEach(() => rm(folder, { recursive: true, force: true }));
  const path = () => join(folder, 'endpoints', 'asked.jsonl');

  it('are found again by whoever comes after, once, with the promise where it had come', async () => {
    const first = await AskedSamples.open(path());
    await first.asking('a', { session: 's', seq: 1, wanted: [0, 1, 2], samples: 3 });
    await first.asking('b', { session: 's', seq: 2, wanted: [0], samples: 1 });
    await first.promised('a', { session: 's', seq: 1 }, 'p1');
    assert.equal(first.take('a', [0]), null, 'what this process asked is under way, not left behind');
    await first.close();

    const again = await AskedSamples.open(path());
    assert.deepEqual(again.take('a', [0, 2]), {
      key: 'a',
      session: 's',
      seq: 1,
      wanted: [0, 1, 2],
      samples: 3,
      promise: 'p1',
    });
    assert.equal(again.take('a', [0, 2]), null);
    assert.equal(again.take('b', [0])?.promise, null);
    assert.equal(again.take('c', [0]), null);
    await again.close();
  });

  it('are asked anew where they do not hold what is missing, and where their line was torn', async () => {
    const first = await AskedSamples.open(path());
    await first.asking('a', { session: 's', seq: 1, wanted: [3], samples: 1 });
    await first.asking('b', { session: 's', seq: 2, wanted: [0], samples: 1 });
    await first.close();
    await appendFile(path(), '\n{"key":"c","session":"s","seq":3,"wan');
    const again = await AskedSamples.open(path());
    assert.equal(again.take('a', [2]), null);
    assert.equal(again.take('c', [0]), null);
    await again.asking('d', { session: 't', seq: 1, wanted: [0], samples: 1 });
    await again.close();
    const last = await AskedSamples.open(path());
    assert.notEqual(last.take('d', [0]), null);
    await last.close();
  });

  it('a number that was asked again under the same question counts by its newest line', async () => {
    const first = await AskedSamples.open(path());
    await first.asking('a', { session: 's', seq: 1, wanted: [0], samples: 1 });
    await first.promised('a', { session: 's', seq: 1 }, 'old');
    await first.asking('a', { session: 't', seq: 7, wanted: [0], samples: 1 });
    await first.promised('a', { session: 's', seq: 1 }, 'late');
    await first.close();
    const again = await AskedSamples.open(path());
    assert.deepEqual(again.take('a', [0]), { key: 'a', session: 't', seq: 7, wanted: [0], samples: 1, promise: null });
    await again.close();
  });

  /** More lines than a file keeps. */
  const many = async (asked: AskedSamples, name: string): Promise<void> => {
    const wanted = Array.from({ length: 3000 }, (_, i) => i);
    for (let seq = 2; seq < 400; seq++) await asked.asking(name, { session: 's', seq, wanted, samples: 3000 });
  };

  it('of an earlier process are kept until their question had its chance, however large the file is', async () => {
    const first = await AskedSamples.open(path());
    await many(first, 'x');
    await first.asking('a', { session: 's', seq: 500, wanted: [0], samples: 1 });
    await first.promised('a', { session: 's', seq: 500 }, 'p');
    await first.asking('b', { session: 's', seq: 501, wanted: [0], samples: 1 });
    await first.close();
    const second = await AskedSamples.open(path());
    await second.rest();
    await many(second, 'y');
    await second.rest();
    assert.equal(second.take('a', [0])?.promise, 'p');
    await second.close();
    const third = await AskedSamples.open(path());
    assert.equal(third.take('a', [0])?.promise, 'p', 'written anew with what is still open');
    assert.notEqual(third.take('b', [0]), null);
    assert.equal(third.take('y', [0]), null);
    await third.close();
  });

  it('of an earlier process that nothing asks for are dropped in the end', async () => {
    const first = await AskedSamples.open(path());
    await first.asking('a', { session: 's', seq: 500, wanted: [0], samples: 1 });
    await first.close();
    const second = await AskedSamples.open(path());
    for (const name of ['y', 'z']) {
      await many(second, name);
      await second.rest();
    }
    await second.close();
    assert.equal(await readFile(path(), 'utf8'), '');
  });

  it('a file that has grown is begun anew when nothing is under way', async () => {
    const asked = await AskedSamples.open(path());
    await asked.asking('a', { session: 's', seq: 1, wanted: [0], samples: 1 });
    await asked.rest();
    assert.notEqual(await readFile(path(), 'utf8'), '');
    await many(asked, 'a');
    await asked.rest();
    assert.equal(await readFile(path(), 'utf8'), '');
    await asked.asking('b', { session: 's', seq: 500, wanted: [0], samples: 1 });
    await asked.close();
    const again = await AskedSamples.open(path());
    assert.notEqual(again.take('b', [0]), null);
    await again.close();
  });

  it('questions differ by everything that shapes their answer', () => {
    const keys = new Set([
      questionKey(['w', 'r', [1, 2], [9], 1, 8, 1]),
      questionKey(['w', 'r', [12], [9], 1, 8, 1]),
      questionKey(['w', 'q', [1, 2], [9], 1, 8, 1]),
      questionKey(['w', 'r', [1, 2], [9], 2, 8, 1]),
    ]);
    assert.equal(keys.size, 4);
    assert.equal(questionKey(['w', [1]]), questionKey(['w', [1]]));
  });
});

import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StudyFolder, type StudyEvent } from '../../../../src/features/study/node/studyFolder.ts';

const began = (i: number): StudyEvent => ({
  ...{ v: 1, type: 'began', member: `${'arm '.repeat(1 + (i % 7))}${i}`, run: `20261128-1200${i}` },
});

describe('a study’s folder', () => {
  let root: string;

  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'genenv-studyFolder-'));
  });

  after(() => rm(root, { recursive: true, force: true }));

  const linesOf = async (dir: string): Promise<string[]> =>
    (await readFile(join(dir, 'members.jsonl'), 'utf8')).trimEnd().split('\n');

  for (const others of [0, 5])
    it(`keeps every line of members that begin at once, after ${others} earlier ones`, async () => {
      const dir = join(root, `at-once-${others}`);
      const first = await StudyFolder.read(dir);
      await first.make();
      for (let i = 0; i < others; i++) await first.append(began(i));
      await first.close();
      const folder = await StudyFolder.read(dir);
      await Promise.all(Array.from({ length: 16 }, (_, i) => folder.append(began(others + i))));
      await folder.close();
      assert.equal((await linesOf(dir)).length, others + 16);
      assert.equal((await StudyFolder.read(dir)).members.size, others + 16);
    });

  it('appends at its end after it was closed, and after a failed write', async () => {
    const dir = join(root, 'again');
    const folder = await StudyFolder.read(dir);
    // The folder is not there yet.
    await assert.rejects(folder.append(began(0)), { reason: 'unwritable' });
    await folder.make();
    await Promise.all([folder.append(began(1)), folder.append(began(2))]);
    await folder.close();
    await folder.append(began(3));
    await folder.close();
    assert.deepEqual(
      (await linesOf(dir)).map((line) => Number(/(\d+)","run/.exec(line)?.[1])),
      [1, 2, 3],
    );
    assert.equal(folder.members.size, 3);
  });
});

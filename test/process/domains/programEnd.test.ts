/** The time limit of a program after its end. */
import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { GroupMemory } from '../../../src/domains/programs/groupMemory.ts';
import { OrphanGuard } from '../../../src/domains/programs/orphans.ts';
import { ProgramRun } from '../../../src/domains/programs/programRun.ts';

describe('a program that ended while its question was open', () => {
  it('leaves no time to run, which would end whatever has its number by then', async () => {
    const guard = new OrphanGuard();
    try {
      const run = new ProgramRun({
        ...{ command: [process.execPath, '-e', ''], env: process.env, folder: tmpdir(), input: '' },
        ...{ limits: { seconds: 600, megabytes: 4096 }, memory: new GroupMemory(), guard },
        signal: new AbortController().signal,
      });
      const answered = run.wait();
      const { how } = await run.ended;
      assert.equal(how, 'exit');
      const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
      const before = timers();
      answered();
      assert.equal(timers(), before);
    } finally {
      guard.close();
    }
  });
});

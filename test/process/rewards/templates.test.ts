/** The files of New Reward Function…, judged in the processes that judge in a run. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { rewardTemplates, workedCases } from '../../../src/features/rewards/host/rewardTemplates.ts';
import { testCases } from '../../../src/rewards/testCases.ts';
import { readCases } from '../../../src/shared/rewards/cases.ts';
import { callOf, drop, rewardFolder } from '../../support/rewards/given.ts';
import { hostOf } from '../../support/rewards/openReward.ts';
import { skip } from '../../support/skip.ts';

function hasPython(): boolean {
  try {
    execFileSync('python3', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

describe('a new reward function', () => {
  for (const { language, ending, text } of rewardTemplates) {
    it(`in ${language} passes its two cases, and has no verdict where there is nothing to compare with`, async function () {
      if (language === 'python' && !hasPython()) skip(this, 'there is no python3');
      const folder = await rewardFolder({ [`mine${ending}`]: text });
      const host = await hostOf(join(folder, `mine${ending}`));
      try {
        const wrongs: (string | null)[] = [];
        const { signal } = new AbortController();
        for await (const { wrong } of testCases(host, readCases(workedCases), signal)) wrongs.push(wrong);
        assert.deepEqual(wrongs, [null, null]);
        const { verdict } = await host.judge(callOf('not it'));
        assert.deepEqual([verdict.success, verdict.parts], [false, { overlap: 2 / 3, words: 2 }]);
        const call = callOf('it');
        const { fault } = await host.judge({ ...call, task: { ...call.task, gold: null } });
        assert.match(fault?.message ?? '', /no right answer/);
      } finally {
        host.dispose();
        await drop(folder);
      }
    });
  }

  it('has no types left in JavaScript', () => {
    const script = rewardTemplates.find(({ language }) => language === 'javascript')?.text ?? '';
    assert.doesNotMatch(script, /\): |: (?:string|Task|Trace)\b|import type/);
  });
});

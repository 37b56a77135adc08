import assert from 'node:assert/strict';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RewardLoadError } from '../../../src/rewards/processes/rewardLoadError.ts';
import { callOf, drop, rewardFolder } from '../../support/rewards/given.ts';
import { folderOf, hostOf, openReward } from '../../support/rewards/openReward.ts';

describe('the host of rewards', () => {
  it('gives outcomes in the order of the calls, whichever process was quicker', async () => {
    const text =
      'export const reward = async (_, { answer }) => { await new Promise((done) => setTimeout(done, Number(answer) % 3)); return Number(answer) / 100; };\n';
    const host = await openReward('order.reward.js', text, { workers: 3 });
    try {
      const given: number[] = [];
      const calls = Array.from({ length: 60 }, (_, i) => callOf(String(i)));
      for await (const { verdict } of host.score(calls, new AbortController().signal)) given.push(verdict.reward);
      assert.deepEqual(
        given,
        calls.map((_, i) => i / 100),
      );
    } finally {
      host.dispose();
      await drop(folderOf(host));
    }
  });

  it('answers what is asked of it after it was closed', async () => {
    const host = await openReward('one.reward.js', 'module.exports = { reward: () => 1 };\n');
    assert.equal((await host.judge(callOf('x'))).verdict.success, true);
    const under = host.judge(callOf('x'));
    host.dispose();
    assert.match((await under).verdict.error ?? '', /was closed/);
    assert.match((await host.judge(callOf('x'))).verdict.error ?? '', /was closed/);
    await drop(folderOf(host));
  });

  it('stops with the signal', async () => {
    const host = await openReward('one.reward.js', 'export default () => 1;\n');
    const controller = new AbortController();
    const scoring = host.score(
      (function* () {
        for (;;) {
          yield callOf('x');
        }
      })(),
      controller.signal,
    );
    await scoring.next();
    controller.abort(new Error('enough'));
    await assert.rejects(async () => {
      for await (const outcome of scoring) assert.ok(outcome);
    }, /enough/);
    host.dispose();
    await drop(folderOf(host));
  });

  it('does not load a file that is not UTF-8', async () => {
    const folder = await rewardFolder({});
    try {
      const file = join(folder, 'one.reward.js');
      await writeFile(file, 'exports.reward = (_, { answer }) => answer === "ä";\n', 'latin1');
      await assert.rejects(hostOf(file), (error) => {
        assert.ok(error instanceof RewardLoadError);
        assert.match(error.message, /one\.reward\.js is not UTF-8\. Save it as UTF-8\./);
        return true;
      });
    } finally {
      await drop(folder);
    }
  });

  it('says that an interpreter is missing, or what it said before it ended', async () => {
    const folder = await rewardFolder({
      'one.reward.py': 'def reward(task, trace): return 1\n',
      'broken-python': '#!/bin/sh\necho "error: no such version" >&2\nexit 127\n',
    });
    const file = join(folder, 'one.reward.py');
    const broken = join(folder, 'broken-python');
    await chmod(broken, 0o755);
    await assert.rejects(hostOf(file, { python: join(folder, 'absent') }), (error) => {
      assert.ok(error instanceof RewardLoadError);
      assert.equal(error.reason, 'interpreter');
      assert.match(error.message, /absent cannot be started/);
      return true;
    });
    await assert.rejects(hostOf(file, { python: broken }), /exit code 127\): error: no such version/);
    await drop(folder);
  });
});

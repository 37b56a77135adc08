/** docs/examples/verifiers.domain.py with the real verifiers: a taskset's harness attempts, its rewards judge. */
import assert from 'node:assert/strict';
import { assertJudged, runExample } from '../support/peers/exampleRun.ts';
import { peerPython } from '../support/peers/pythons.ts';
import { skip } from '../support/skip.ts';

describe('a run on a taskset of verifiers', function () {
  this.timeout(900_000);
  let python = '';
  before(async function () {
    this.timeout(1_200_000);
    const found = await peerPython('verifiers');
    if ('why' in found) skip(this, `verifiers cannot be installed: ${found.why}`);
    python = found.python;
  });

  it('is attempted and rewarded by it, and ends after a kill as an undisturbed one', async () => {
    const { tasks, traces } = await runExample({
      ...{ file: 'verifiers.domain.py', tasks: 'sums_taskset.py', python },
      writes: (seed) => {
        const task = { prompt: `How much is ${seed % 50} + 7?`, system_prompt: 'Add.', answer: (seed % 50) + 7 };
        return seed % 4 === 0 ? { ...task, answer: 'seven' } : task;
      },
    });
    assertJudged(traces);
    const accepted = tasks.filter(({ status }) => status === 'accepted');
    assert(
      accepted.some(({ epoch }) => epoch === 1),
      'the environment wrote tasks',
    );
    for (const { note = null, status } of tasks) {
      if (status !== 'accepted') assert.match(note ?? '', /answer: Input should be a valid integer/);
    }
    for (const { messages, verdict } of traces) {
      const answer = messages.findLast(({ role }) => role === 'assistant')?.content ?? '';
      // 0.9 for a right answer, 0.1 for a polite one, as the taskset weighs them.
      assert.equal(verdict.reward, answer.endsWith(': 0') ? 0.1 : 1);
    }
  });
});

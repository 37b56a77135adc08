/** docs/examples/inspect.domain.py with the real inspect-ai: a task's solver attempts, its scorer judges. */
import assert from 'node:assert/strict';
import { assertJudged, runExample } from '../support/peers/exampleRun.ts';
import { peerPython } from '../support/peers/pythons.ts';
import { skip } from '../support/skip.ts';

describe('a run on a task of Inspect', function () {
  this.timeout(900_000);
  let python = '';
  before(async function () {
    this.timeout(1_200_000);
    const found = await peerPython('inspect-ai');
    if ('why' in found) skip(this, `inspect-ai cannot be installed: ${found.why}`);
    python = found.python;
  });

  it('is solved and scored by it, and ends after a kill as an undisturbed one', async () => {
    const { tasks, traces } = await runExample({
      ...{ file: 'inspect.domain.py', tasks: 'sums_inspect.py', python },
      writes: (seed) => {
        const sample = { input: `How much is ${seed % 50} + 7?`, target: String((seed % 50) + 7) };
        return seed % 4 === 0 ? { input: sample.input } : sample;
      },
    });
    assertJudged(traces);
    const accepted = tasks.filter(({ status }) => status === 'accepted');
    assert(
      accepted.some(({ epoch }) => epoch === 1),
      'the environment wrote tasks',
    );
    for (const { messages, branches = [], verdict } of traces) {
      const answer = messages.findLast(({ role }) => role === 'assistant')?.content ?? '';
      assert.equal(verdict.success, !answer.endsWith(': 0'));
      // Its critique is asked in a conversation of its own, and the answer is given again.
      const said = [...messages, ...branches.flatMap((one) => one.messages)].filter(({ role }) => role === 'assistant');
      assert.equal(said.length, 3);
    }
  });
});

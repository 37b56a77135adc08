/** Attempts that can be watched before they are recorded. */
import assert from 'node:assert/strict';
import { UnderWay } from '../../../../src/engine/ports/underWay.ts';
import type { PolicyVersion, SampleRequest } from '../../../../src/engine/ports.ts';
import { LadderDomain } from '../../../support/scripted/ladder.ts';
import { ScriptedPolicy } from '../../../support/scripted/scriptedPolicy.ts';
import { MemoryRun, runScripted, smallExperiment } from '../../../support/scripted/scriptedRun.ts';

describe('attempts under way', () => {
  for (const deterministic of [true, false]) {
    it(`are seen turn by turn until they are recorded, ${deterministic ? 'in waves' : 'as they come'}`, async () => {
      const underWay = new UnderWay();
      const run = new MemoryRun();
      const seen = new Map<string, string[]>();
      class Watched extends ScriptedPolicy {
        override readonly capabilities = { ...new ScriptedPolicy('agent', 4).capabilities, deterministic };
        override sample(version: PolicyVersion, requests: readonly SampleRequest[], signal: AbortSignal) {
          for (const task of requests.map(({ id }) => id.replace(/^e\d+\/|\/r\d+$/g, ''))) {
            for (const { id, messages } of underWay.at(task))
              seen.set(
                id,
                messages.map(({ content }) => content),
              );
          }
          return super.sample(version, requests, signal);
        }
      }
      const { agent } = run.checkpoints;
      const ports = {
        agent: new Watched('agent', 4, agent, run.bill),
        domain: new LadderDomain({ turns: 2 }),
        underWay,
      };
      await runScripted(smallExperiment({ epochs: 1, rollouts: { maxTurns: 3 } }), run, { ports });
      assert.ok(seen.size > 4, `${seen.size} were seen`);
      const traces = new Map(run.traces.map(({ id, messages }) => [id, messages.map(({ content }) => content)]));
      for (const [id, said] of seen) {
        const whole = traces.get(id);
        assert.ok(whole !== undefined && said.length > 0 && said.length < whole.length, id);
        assert.deepEqual(said, whole.slice(0, said.length));
      }
      for (const { id } of run.tasks) assert.deepEqual(underWay.at(id), []);
    });
  }

  it('are let go of when what makes them fails', async () => {
    const underWay = new UnderWay();
    const one = { id: 'e1/t/r0', messages: [{ role: 'assistant' as const, content: 'so far' }] };
    const failing = underWay.while(
      (task) => (task === 't' ? [one] : []),
      async () => {
        await Promise.resolve();
        assert.deepEqual(underWay.at('t'), [one]);
        throw new Error('ended');
      },
    );
    await assert.rejects(failing, /ended/);
    assert.deepEqual(underWay.at('t'), []);
  });
});

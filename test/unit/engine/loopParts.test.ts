/** The parts that the phases of the loop share. */
import assert from 'node:assert/strict';
import { LoopError } from '../../../src/engine/errors.ts';
import { bothOrNeither, mean, timed, trainable } from '../../../src/engine/loop.ts';
import { batchTrainer } from '../../../src/engine/phases/byJob/jobs.ts';
import type { Policy, TrainablePolicy } from '../../../src/engine/ports.ts';
import { ScriptedPolicy } from '../../support/scripted/scriptedPolicy.ts';
import { MemoryRun, runScripted, smallExperiment } from '../../support/scripted/scriptedRun.ts';

const calls = ['accumulate', 'step', 'score', 'render'] as const;

/** A policy without some of its calls. */
const without = (whole: ScriptedPolicy, ...names: (typeof calls)[number][]): Policy => {
  const trains: Pick<TrainablePolicy, (typeof calls)[number]> = {
    accumulate: (data, loss) => whole.accumulate(data, loss),
    step: (adam) => whole.step(adam),
    score: (version, sequences) => whole.score(version, sequences),
    render: (messages) => whole.render(messages),
  };
  const left = Object.entries(trains).filter(([name]) => !names.some((one) => one === name));
  return {
    capabilities: whole.capabilities,
    publish: (name) => whole.publish(name),
    sample: (...asked) => whole.sample(...asked),
    checkpoint: (name) => whole.checkpoint(name),
    restore: (ref) => whole.restore(ref),
    dispose: () => whole.dispose(),
    ...Object.fromEntries(left),
  };
};

const isUntrainable = (role: string) => (error: unknown) =>
  LoopError.is(error, 'not-trainable') && error.message.startsWith(`The ${role} policy's endpoint`);

describe('what the phases share', () => {
  it('takes a policy for trainable that has all four calls', () => {
    const whole = new ScriptedPolicy('agent', 4);
    assert.equal(trainable({ policy: whole }, 'agent'), whole);
    for (const name of calls) {
      assert.throws(() => trainable({ policy: without(whole, name) }, 'agent'), isUntrainable('agent'), name);
    }
  });

  it('names the policy that cannot be trained', async () => {
    for (const role of ['agent', 'environment'] as const) {
      const frozen = without(new ScriptedPolicy(role, role === 'agent' ? 4 : 5.4), ...calls);
      const experiment = smallExperiment({ epochs: 1, curriculum: { filter: 'off' } });
      for (const mode of ['step', 'batch'] as const) {
        const ports = { [role]: { ...frozen, capabilities: { ...frozen.capabilities, mode } } };
        await assert.rejects(runScripted(experiment, new MemoryRun(), { ports }), isUntrainable(role));
      }
    }
  });

  it('knows who takes jobs by the mode and the call', () => {
    const policy = new ScriptedPolicy('agent', 4);
    assert.equal(batchTrainer({ policy }, 'agent'), null);
  });

  it('measures seconds by the run’s clock', async () => {
    let now = 5000;
    const work = (): Promise<string> => {
      now += 1500;
      return Promise.resolve('done');
    };
    assert.deepEqual(await timed({ ports: { clock: { now: () => now } } }, work), { result: 'done', seconds: 1.5 });
  });

  it('waits for both of two, also where the first fails', async () => {
    let finished = false;
    const second = (async () => {
      for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
      finished = true;
    })();
    await assert.rejects(bothOrNeither(Promise.reject(new Error('first')), second), /first/);
    assert.ok(finished);
    assert.deepEqual(await bothOrNeither(1, Promise.resolve('2')), [1, '2']);
  });

  it('has no mean of nothing', () => {
    assert.deepEqual([mean([]), mean([1, 2, 6])], [null, 3]);
  });
});

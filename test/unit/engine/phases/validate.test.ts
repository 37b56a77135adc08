import assert from 'node:assert/strict';
import { validationLine } from '../../../../src/cli/live/plainLine.ts';
import { EpochFold } from '../../../../src/runs/facts/epochFold.ts';
import { eventSchema, type EventOf } from '../../../../src/shared/journal/events.ts';
import { sum } from '../../../../src/shared/sum.ts';
import { mixedDomain, mixedExperiment } from '../../../support/scripted/mixed.ts';
import { MemoryRun, runScripted, smallExperiment, type RunOptions } from '../../../support/scripted/scriptedRun.ts';
import { ScriptedPolicy } from '../../../support/scripted/scriptedPolicy.ts';
import { unreliable } from '../../../support/scripted/unreliablePolicy.ts';

const validated = ({ events }: MemoryRun): EventOf<'validated'>[] =>
  events.filter((event) => event.type === 'validated');

/** An agent whose answers to one task end at their limit. */
function cutting(run: MemoryRun, task: RegExp): RunOptions {
  const scripted = new ScriptedPolicy('agent', 4, run.checkpoints.agent, run.bill);
  return { ports: { agent: unreliable(scripted, { isCut: (id) => task.test(id) }) } };
}

describe('validating', () => {
  it('counts answers that were cut off, and says so', async () => {
    const experiment = smallExperiment({ epochs: 1 });
    const told = validated(await runScripted(experiment));
    assert.deepEqual(
      told.map(({ truncated }) => truncated),
      [0, 0],
    );
    const run = new MemoryRun();
    await runScripted(experiment, run, cutting(run, /./));
    const [start, after] = validated(run);
    assert.ok(start !== undefined && after !== undefined);
    assert.deepEqual([start.truncated, after.truncated], [6, 6]);
    assert.match(
      validationLine(start) ?? '',
      /^start .* 6 attempts were cut off at their length \(rollouts\.maxTokens\)$/,
    );
    assert.equal(
      validationLine(after),
      'epoch 1  validation: 6 attempts were cut off at their length (rollouts.maxTokens)',
    );
    const one = validationLine({ ...after, truncated: 1 });
    assert.equal(one, 'epoch 1  validation: 1 attempt was cut off at its length (rollouts.maxTokens)');
    const { truncated: _, ...older } = after;
    assert.deepEqual(eventSchema.parse(older), older);
    assert.equal(validationLine(older), null);
    const fold = new EpochFold();
    for (const event of [start, older]) fold.add(event);
    assert.deepEqual(
      fold.validations.map(({ truncated }) => truncated),
      [6, null],
    );
  });

  it('tells how often each task was solved, where it is attempted several times', async () => {
    const once = validated(await runScripted(smallExperiment({ epochs: 1 })));
    assert.ok(once.every(({ tries }) => tries === undefined));
    const four = validated(await runScripted(smallExperiment({ epochs: 1, validation: { rollouts: 4 } })));
    for (const { tries = [], outcomes, successRate } of four) {
      assert.equal(tries.length, outcomes.length);
      assert.deepEqual(
        [sum(tries.map(([k]) => k)), sum(tries.map(([, n]) => n))],
        [successRate.successes, successRate.attempts],
      );
      assert.ok(tries.every(([k, n], i) => n === 4 && outcomes.charAt(i) === (k > 2 ? '1' : '0')));
    }
  });

  it('counts them by domain', async () => {
    const run = new MemoryRun();
    const ports = { ...cutting(run, /./).ports, domain: await mixedDomain() };
    await runScripted(mixedExperiment({ epochs: 1 }), run, { ports });
    for (const { domains = [], truncated } of validated(run)) {
      assert.equal(domains.length, 2);
      assert.ok(domains.every((own) => own.truncated === own.tasks));
      assert.equal(sum(domains.map((own) => own.truncated ?? 0)), truncated);
    }
  });
});

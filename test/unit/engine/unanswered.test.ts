/**
 * The loop's behaviour where an endpoint cannot answer: fewer attempts, no attempts, and failures that all requests
 * share.
 */
import assert from 'node:assert/strict';
import { LoopError } from '../../../src/engine/errors.ts';
import { Merge } from '../../../src/engine/merge.ts';
import { UnansweredCount } from '../../../src/engine/unanswered.ts';
import type { EventOf } from '../../../src/shared/journal/events.ts';
import { LadderDomain } from '../../support/scripted/ladder.ts';
import { ScriptedPolicy } from '../../support/scripted/scriptedPolicy.ts';
import { MemoryRun, runScripted, smallExperiment } from '../../support/scripted/scriptedRun.ts';
import { unreliable, type Unreliability } from '../../support/scripted/unreliablePolicy.ts';

const agentOf = (run: MemoryRun, how: Unreliability) =>
  unreliable(new ScriptedPolicy('agent', 4, run.checkpoints.agent, run.bill), how);
const environmentOf = (run: MemoryRun, how: Unreliability) =>
  unreliable(new ScriptedPolicy('environment', 5.4, run.checkpoints.environment, run.bill), how);

const finished = (run: MemoryRun): EventOf<'rollouts.finished'>[] =>
  run.events.filter((event) => event.type === 'rollouts.finished');

/** Fails the last attempt at every other task. */
const someFail = (id: string) => (/(0|2|4|6|8|v1)#3$/.test(id) ? 'too long' : null);

describe('a loop whose endpoint cannot answer', () => {
  it('stops when a group is not whole, with every other attempt recorded, and goes on where it stopped', async () => {
    const experiment = smallExperiment();
    const run = new MemoryRun();
    await assert.rejects(
      runScripted(experiment, run, { ports: { agent: agentOf(run, { fails: someFail }) } }),
      (error) =>
        LoopError.is(error, 'endpoint') && /has 3 of 4 attempts, and 4 must .*minGroup\): too long/.test(error.message),
    );
    assert(run.traces.filter(({ purpose }) => purpose === 'train').length >= 3 * finished(run).length);
    const paid = new Set(run.traces.map(({ id }) => id));
    const billed = run.bill.samples.length;
    const whole = await runScripted(experiment);
    await runScripted(experiment, run);
    assert.equal(run.text, whole.text);
    assert.equal(run.bill.samples.length - billed <= whole.bill.samples.length - paid.size, true);
  });

  it('goes on with smaller groups where they are allowed, and the journal says how many and why', async () => {
    const experiment = smallExperiment({ rollouts: { group: 4, minGroup: 3 } });
    const run = new MemoryRun();
    await runScripted(experiment, run, { ports: { agent: agentOf(run, { fails: someFail }) } });
    const events = finished(run);
    assert.equal(events.length, 3);
    for (const { tasks, rollouts, unanswered } of events) {
      assert(unanswered !== undefined && unanswered.count > 0);
      assert.deepEqual(unanswered.causes, [{ cause: 'too long', count: unanswered.count }]);
      assert.equal(rollouts, 4 * tasks - unanswered.count);
    }
    assert.equal(run.events.at(-1)?.type, 'run.finished');
  });

  it('does not ask again for what was given up, once that is journaled', async () => {
    const experiment = smallExperiment({ rollouts: { group: 4, minGroup: 3 } });
    const fails = { fails: someFail };
    const whole = new MemoryRun();
    await runScripted(experiment, whole, { ports: { agent: agentOf(whole, fails) } });
    const crashed = new MemoryRun();
    const beforeAppend = () => {
      if (crashed.events.at(-1)?.type === 'rollouts.finished') throw new Error('crash');
    };
    await assert.rejects(
      runScripted(experiment, crashed, { ports: { agent: agentOf(crashed, fails) }, beforeAppend }),
      /crash/,
    );
    crashed.bill.samples.length = 0;
    await runScripted(experiment, crashed, { ports: { agent: agentOf(crashed, fails) } });
    assert.equal(crashed.text, whole.text);
    assert(!crashed.bill.samples.some((id) => id.startsWith('e1.')), 'epoch 1 is not attempted again');
  });

  it('leaves a validation task out that nobody answered', async () => {
    const experiment = smallExperiment({ rollouts: { group: 4, minGroup: 3 } });
    const run = new MemoryRun();
    const fails = (id: string) => (id === 'validation.2#0' ? 'refused' : null);
    await runScripted(experiment, run, { ports: { agent: agentOf(run, { fails }) } });
    const validated = run.events.filter((event) => event.type === 'validated');
    for (const { outcomes, successRate, unanswered } of validated) {
      assert.match(outcomes, /^[01]{2}-[01]{3}$/);
      assert.equal(successRate.attempts, 5);
      assert.equal(unanswered?.count, 1);
    }
  });

  it('never goes on with nothing at all', async () => {
    const experiment = smallExperiment({ rollouts: { group: 4, minGroup: 1 } });
    for (const role of ['agent', 'environment'] as const) {
      const run = new MemoryRun();
      const how = { fails: () => 'no model' };
      const ports = role === 'agent' ? { agent: agentOf(run, how) } : { environment: environmentOf(run, how) };
      await assert.rejects(runScripted(experiment, run, { ports }), /no model/);
    }
  });

  it('writes again what the environment could not write, and fills up with base tasks', async () => {
    const experiment = smallExperiment();
    const run = new MemoryRun();
    const fails = (id: string) => (id.startsWith('e1.f0') ? 'lost' : null);
    const ports = { environment: environmentOf(run, { fails }), domain: new LadderDomain({ plans: true }) };
    await runScripted(experiment, run, { ports });
    const [first] = run.events.filter((event) => event.type === 'tasks.generated');
    assert.deepEqual(first?.unanswered, { count: 3, causes: [{ cause: 'lost', count: 3 }] });
    assert(!run.tasks.some(({ family }) => family === 'e1.f0'));
    assert(run.tasks.some(({ family }) => family === 'e2.f0'));
  });

  it('throws what all requests share, with what finished before it recorded', async () => {
    const experiment = smallExperiment();
    const run = new MemoryRun();
    const expired = new Error('the key has expired');
    let answers = 0;
    const throws = (id: string) => (!id.startsWith('validation') && ++answers > 10 ? expired : null);
    await assert.rejects(runScripted(experiment, run, { ports: { agent: agentOf(run, { throws }) } }), expired);
    assert.equal(run.traces.filter(({ purpose }) => purpose === 'train').length, 10);
    await runScripted(experiment, run);
    assert.equal(run.text, (await runScripted(experiment)).text);
  });

  it('asks for an episode’s next turn as soon as its answer is there, and ends with the same journal', async () => {
    const experiment = smallExperiment({ rollouts: { maxTurns: 4 } });
    const domain = new LadderDomain({ turns: 3 });
    const calls: (readonly string[])[] = [];
    const run = new MemoryRun();
    const agent = agentOf(run, { unordered: true, onCall: (requests) => calls.push(requests) });
    await runScripted(experiment, run, { ports: { domain, agent } });
    const waves = await runScripted(experiment, new MemoryRun(), { ports: { domain } });
    assert.equal(run.text, waves.text);
    assert(calls.some((requests) => requests.length > 1));
    assert(calls.some((requests) => requests.length === 1));
  });
});

describe('causes of what was not answered', () => {
  it('are counted once where they differ in a number alone, and kept apart where they say another thing', () => {
    const count = new UnansweredCount();
    const long = (tokens: number, port = 80) =>
      `http://10.0.0.1:${port}: status 400: your prompt has ${tokens} tokens.`;
    for (let i = 0; i < 1498; i++) count.add(long(9000 + i));
    for (const other of [long(1, 81), 'a: status 400: no.', 'a: status 500: no.']) count.add(other);
    assert.deepEqual(count.event.unanswered, {
      count: 1501,
      causes: [
        { cause: long(9000), count: 1498 },
        { cause: long(1, 81), count: 1 },
        { cause: 'a: status 400: no.', count: 1 },
        { cause: 'a: status 500: no.', count: 1 },
      ],
    });
  });
});

describe('streams as one', () => {
  const given: string[] = [];
  async function* stream(name: string, count: number, end?: Error) {
    try {
      for (let i = 0; i < count; i++) {
        await new Promise(setImmediate);
        given.push(`${name}${i}`);
        yield `${name}${i}`;
      }
      if (end !== undefined) throw end;
    } finally {
      given.push(`${name}.`);
    }
  }

  it('give all, also from those added on the way, and one’s failure last', async () => {
    const merge = new Merge<string>();
    merge.add(stream('a', 1, new Error('a broke')));
    merge.add(stream('b', 3));
    const taken: string[] = [];
    await assert.rejects(async () => {
      for await (const item of merge) {
        taken.push(item);
        if (item === 'b0') merge.add(stream('c', 4));
      }
    }, /a broke/);
    assert.deepEqual(taken.sort(), ['a0', 'b0', 'b1', 'b2', 'c0', 'c1', 'c2', 'c3']);
  });

  it('are ended when they are left', async () => {
    given.length = 0;
    const merge = new Merge<string>();
    merge.add(stream('a', 100));
    merge.add(stream('b', 100));
    for await (const item of merge) if (item === 'a1') break;
    assert(given.includes('a.') && given.includes('b.'));
  });
});

/** Epochs that are sampled before the updates they follow are done (`rollouts.staleness`). */
import assert from 'node:assert/strict';
import { Rng } from '../../../src/engine/random.ts';
import { LoopError } from '../../../src/engine/errors.ts';
import type { Experiment } from '../../../src/shared/experiment/schema.ts';
import type { EventOf, JournalEvent } from '../../../src/shared/journal/events.ts';
import { crashAt } from '../../support/scripted/crashAt.ts';
import { LadderDomain } from '../../support/scripted/ladder.ts';
import { ScriptedPolicy } from '../../support/scripted/scriptedPolicy.ts';
import { unreliable } from '../../support/scripted/unreliablePolicy.ts';
import { MemoryRun, runScripted, smallExperiment, type RunOptions } from '../../support/scripted/scriptedRun.ts';

const ofType = <T extends JournalEvent['type']>({ events }: MemoryRun, type: T): EventOf<T>[] =>
  events.filter((event): event is EventOf<T> => event.type === type);

const byId = <T extends { id: string }>(records: readonly T[]): T[] =>
  records.toSorted((a, b) => (a.id < b.id ? -1 : 1));

const stale = (staleness: number, more: Parameters<typeof smallExperiment>[0] = {}): Experiment =>
  smallExperiment({ epochs: 5, ...more, rollouts: { staleness, ...more.rollouts } });

class OutOfOrder extends ScriptedPolicy {
  override readonly capabilities = { ...new ScriptedPolicy('agent', 0).capabilities, deterministic: false };
}

async function resumesEverywhere(experiment: Experiment, options: RunOptions = {}): Promise<void> {
  const whole = await runScripted(experiment, new MemoryRun(), options);
  const appends = whole.events.length + whole.tasks.length + whole.traces.length;
  const moments = Rng.from('crash', experiment.mode, experiment.rollouts.staleness).shuffle(
    Array.from({ length: appends }, (_, i) => i),
  );
  for (const at of moments.slice(0, 50)) {
    const crashed = await crashAt(experiment, at, options);
    await runScripted(experiment, crashed, options);
    assert.ok(crashed.text === whole.text, `journal after a crash before append ${at}`);
    assert.deepEqual(byId(crashed.tasks), byId(whole.tasks), `tasks after a crash before append ${at}`);
    assert.deepEqual(byId(crashed.traces), byId(whole.traces), `attempts after a crash before append ${at}`);
  }
}

describe('staleness', () => {
  for (const staleness of [1, 2, 3]) {
    it(`${staleness}: an epoch is written and attempted by the versions of ${staleness} updates before`, async () => {
      const run = await runScripted(stale(staleness));
      const updates = (role: 'agent' | 'environment', epoch: number): number =>
        [...ofType(run, 'agent.updated'), ...ofType(run, 'environment.updated')].filter(
          (event) => event.type === `${role}.updated` && event.epoch < epoch,
        ).length;
      for (const { epoch, versions, sampled } of ofType(run, 'epoch.started')) {
        assert.ok(sampled !== undefined);
        const start = Math.max(1, epoch - staleness);
        assert.equal(versions.agent.name, `agent@${updates('agent', epoch)}`);
        assert.equal(sampled.agent.name, `agent@${updates('agent', start)}`);
        assert.equal(sampled.environment.name, `environment@${updates('environment', start)}`);
        const traces = run.traces.filter((trace) => trace.epoch === epoch && trace.purpose === 'train');
        assert.deepEqual([...new Set(traces.map(({ version }) => version))], [sampled.agent.name]);
        const tasks = run.tasks.filter((task) => task.epoch === epoch);
        assert.deepEqual([...new Set(tasks.map(({ generation }) => generation?.version))], [sampled.environment.name]);
      }
      const last = ofType(run, 'epoch.started').at(-1);
      assert.notEqual(last?.sampled?.agent.name, last?.versions.agent.name, 'the agent was updated meanwhile');
    });
  }

  for (const [from, to] of [
    [2, 2],
    [0, 3],
  ] as const) {
    it(`${to} in a branch of a run with ${from} asks for no version from before its first epoch, killed or not`, async () => {
      const parent = await runScripted(stale(from, { epochs: 6 }));
      const branchAt = (epoch: number): MemoryRun => {
        const end = parent.events.findIndex((event) => event.type === 'epoch.finished' && event.epoch === epoch) + 1;
        const branch = parent.cut(end, 0, 0);
        branch.tasks = parent.tasks.filter((task) => task.epoch <= epoch);
        branch.traces = parent.traces.filter((trace) => trace.epoch <= epoch);
        // Of the versions before it the parent has pruned all but the first and the last.
        for (const role of ['agent', 'environment'] as const) {
          const checkpoints = branch.checkpoints[role];
          const kept = [`${role}@0`, branch.state[role]?.version.name];
          for (const name of [...checkpoints.keys()]) if (!kept.includes(name)) checkpoints.delete(name);
        }
        return branch;
      };
      const experiment = stale(to, { epochs: 6 });
      const options = { ports: { shared: 3 } };
      const whole = await runScripted(experiment, branchAt(3), options);
      const began = branchAt(3).state.agent?.version.name;
      const sampled = ofType(whole, 'epoch.started').flatMap(({ epoch, sampled: by }) =>
        epoch > 3 ? [by?.agent.name] : [],
      );
      assert.deepEqual(sampled.slice(0, to + 1), new Array<unknown>(Math.min(3, to + 1)).fill(began));
      for (const moment of [30, 60, 90]) {
        const crashed = await crashAt(experiment, moment, (run) => {
          Object.assign(run, branchAt(3));
          return options;
        });
        await runScripted(experiment, crashed, options);
        assert.ok(crashed.text === whole.text, `journal after a crash before append ${moment}`);
      }
    });
  }

  it('0 names no other versions', async () => {
    const run = await runScripted(smallExperiment());
    assert.ok(ofType(run, 'epoch.started').every((event) => !('sampled' in event)));
  });

  it('tasks are compared with all that were written before their epoch was begun', async () => {
    const run = await runScripted(stale(2, { generation: { families: 6, duplicates: 'run' } }));
    const accepted = run.tasks.filter(({ status }) => status === 'accepted');
    const duplicates = run.tasks.filter(({ cause }) => cause === 'duplicate');
    assert.ok(duplicates.length > 0);
    for (const task of accepted) {
      const before = accepted.filter(({ epoch }) => epoch < Math.max(1, task.epoch - 2));
      assert.ok(!before.some(({ prompt }) => prompt[0]?.content === task.prompt[0]?.content), task.id);
    }
  });

  it('attempts of an epoch begin before the update that it follows', async () => {
    const seen: string[] = [];
    await runScripted(stale(1), new MemoryRun(), {
      beforeAppend: (kind, { traces, events }) => {
        if (kind === 'event') seen.push(`${events.at(-1)?.type}: ${Math.max(0, ...traces.map(({ epoch }) => epoch))}`);
      },
    });
    assert.ok(seen.includes('rollouts.finished: 2'), seen.join('\n'));
  });

  it('a crashed run goes on to the same journal and records', () => resumesEverywhere(stale(1)));

  it('so does one that samples two and three epochs early, with pool tasks and conditions', async () => {
    const more = { rollouts: { poolShare: 0.2 }, generation: { condition: true, duplicates: 'run' } } as const;
    await resumesEverywhere(stale(2, more), { ports: { domain: new LadderDomain({ plans: true }) } });
    await resumesEverywhere(stale(3, more));
  });

  for (const mode of ['random', 'static'] as const) {
    it(`so does one in mode ${mode}`, () => resumesEverywhere(stale(1, { mode })));
  }

  it('so do several turns, and learning progress of the environment’s families', async () => {
    await resumesEverywhere(stale(1, { rollouts: { maxTurns: 3 } }), {
      ports: { domain: new LadderDomain({ turns: 2 }) },
    });
    const reward = { kind: 'progress', repetition: 0, file: null } as const;
    await resumesEverywhere(stale(1, { curriculum: { reward, scope: 'task', filter: 'off' } }));
  });

  for (const staleness of [0, 1]) {
    it(`${staleness}: tasks are attempted while others are written, where an endpoint answers out of order`, async () => {
      const options = (run: MemoryRun): RunOptions => ({
        ports: { agent: new OutOfOrder('agent', 4, run.checkpoints.agent) },
      });
      const run = new MemoryRun();
      let attempted = false;
      const watch: RunOptions = {
        beforeAppend: (kind, { traces }) => {
          attempted ||= kind === 'task' && traces.some(({ epoch, purpose }) => epoch === 1 && purpose === 'train');
        },
      };
      const experiment = stale(staleness, { generation: { families: 6, duplicates: 'run' } });
      await runScripted(experiment, run, { ...options(run), ...watch });
      assert.ok(attempted, 'an attempt is recorded before the last task');
      const inOrder = await runScripted(experiment);
      assert.deepEqual(byId(run.traces), byId(inOrder.traces));
      assert.ok(run.text === inOrder.text, 'the same journal');
      const moments = Rng.from('early', staleness).shuffle(
        Array.from({ length: run.events.length + run.tasks.length + run.traces.length }, (_, i) => i),
      );
      for (const at of moments.slice(0, 30)) {
        const crashed = await crashAt(experiment, at, options);
        await runScripted(experiment, crashed, options(crashed));
        assert.ok(crashed.text === run.text, `journal after a crash before append ${at}`);
        assert.deepEqual(byId(crashed.traces), byId(run.traces), `attempts after a crash before append ${at}`);
      }
    });
  }

  it('attempts take their time from the first that began, also beside the writing', async () => {
    const secondsOf = async (agent: ScriptedPolicy): Promise<number[]> => {
      const run = new MemoryRun();
      // A second passes with every record.
      const clock = { now: () => 1000 * (run.tasks.length + run.traces.length) };
      await runScripted(smallExperiment({ validation: { every: 0 } }), run, { ports: { agent, clock } });
      return ofType(run, 'rollouts.finished').map(({ seconds }) => seconds);
    };
    const inOrder = await secondsOf(new ScriptedPolicy('agent', 4));
    const early = await secondsOf(new OutOfOrder('agent', 4));
    for (const [i, seconds] of early.entries()) assert.ok(seconds > (inOrder[i] ?? Infinity), `${seconds} s`);
  });

  it('an attempt that is not answered beside the writing is counted, and not asked for again', async () => {
    const unanswered = async (unordered: boolean): Promise<[counted: (number | undefined)[], refused: number]> => {
      let refused = 0;
      const fails = (id: string): string | null => {
        if (!id.endsWith('#3')) return null;
        refused += 1;
        return 'not this one';
      };
      const agent = unreliable(new ScriptedPolicy('agent', 4), { fails, unordered });
      const experiment = smallExperiment({ rollouts: { minGroup: 2 }, validation: { every: 0 } });
      const run = await runScripted(experiment, new MemoryRun(), { ports: { agent } });
      return [ofType(run, 'rollouts.finished').map((event) => event.unanswered?.count), refused];
    };
    const inOrder = await unanswered(false);
    assert.ok((inOrder[0][0] ?? 0) > 0);
    assert.deepEqual(await unanswered(true), inOrder);
  });

  it('a pause at a boundary gives up what is sampled early, and carries on exactly', async () => {
    const whole = await runScripted(stale(2));
    const boundary = new AbortController();
    const run = new MemoryRun();
    const pausing = runScripted(stale(2), run, {
      ports: { boundary: boundary.signal },
      beforeAppend: (kind, { events }) => {
        if (kind === 'event' && events.some(({ type }) => type === 'agent.updated')) boundary.abort();
      },
    });
    await assert.rejects(pausing, (error) => LoopError.is(error, 'paused'));
    await runScripted(stale(2), run);
    assert.ok(run.text === whole.text, 'the same journal');
    assert.deepEqual(byId(run.traces), byId(whole.traces));
  });

  it('a change of settings holds in what is sampled from then on, also after a crash', async () => {
    const asked = { id: 'c', author: 'a person', changes: [{ field: 'generation.families', from: 3, to: 2 }] };
    const changing = (): RunOptions => {
      let waits = true;
      let starts = 0;
      return {
        ports: {
          changes: {
            waiting: () => Promise.resolve(waits && ++starts >= 3 ? [asked] : []),
            taken: () => Promise.resolve(void (waits = false)),
          },
        },
      };
    };
    const whole = await runScripted(stale(1), new MemoryRun(), changing());
    const [changed] = ofType(whole, 'settings.changed');
    assert.ok(changed !== undefined && changed.epoch < 4);
    const families = new Map(ofType(whole, 'tasks.generated').map((event) => [event.epoch, event.families]));
    assert.deepEqual([families.get(changed.epoch), families.get(changed.epoch + 1)], [3, 2]);
    for (const cut of whole.events.keys()) {
      if (cut <= whole.events.indexOf(changed)) continue;
      const run = whole.cut(cut, whole.tasks.length, whole.traces.length);
      await runScripted(stale(1), run);
      assert.ok(run.text === whole.text, `cut after ${cut} events`);
    }
  });

  it('an epoch that cannot be sampled ends the run when the loop comes to it', async () => {
    const failing = new LadderDomain();
    const prompt = failing.agentPrompt.bind(failing);
    failing.agentPrompt = (task) => {
      if (task.epoch === 3) throw new LoopError('endpoint', 'not today');
      return prompt(task);
    };
    const run = new MemoryRun();
    await assert.rejects(runScripted(stale(1), run, { ports: { domain: failing } }), /not today/);
    assert.deepEqual(
      ofType(run, 'epoch.finished').map(({ epoch }) => epoch),
      [1, 2],
    );
  });
});

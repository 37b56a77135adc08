/** Attempts whose episodes hold a session of a server each. */
import assert from 'node:assert/strict';
import { EpisodeError } from '../../../../src/engine/errors.ts';
import { attempt } from '../../../../src/engine/phases/attempts/attempt.ts';
import type { Attempters, AttemptPlan } from '../../../../src/engine/phases/attempts/attemptPlan.ts';
import type { Environment, Observation, SampleRequest } from '../../../../src/engine/ports.ts';
import type { Task } from '../../../../src/shared/records/task.ts';
import type { Trace } from '../../../../src/shared/records/trace.ts';
import { makeTask, makeTrace } from '../../../support/runs/records.ts';
import { LadderDomain, LadderScorer, user } from '../../../support/scripted/ladder.ts';
import { ScriptedPolicy } from '../../../support/scripted/scriptedPolicy.ts';
import { smallExperiment } from '../../../support/scripted/scriptedRun.ts';

const tool = { name: 'look', description: '', parameters: {} };
const step = (at: number) => ({ observation: { at }, reward: at, done: at === 2 });

/** A server that counts its sessions. */
class Sessions extends LadderDomain {
  readonly open = new Set<number>();
  begun = 0;
  most = 0;
  /** Throws, or waits, in a reset. */
  before: (session: number, signal: AbortSignal | undefined) => Promise<void> = () => Promise.resolve();
  steps: (session: number, at: number) => Observation = (_, at) => ({
    ...{ messages: [user(`at ${at}`)], done: at === 2, steps: [step(at)] },
  });

  override environment(): Environment {
    const session = { id: -1, at: 0 };
    return {
      reset: async (_: Task, signal) => {
        session.id = this.begun++;
        await this.before(session.id, signal);
        this.open.add(session.id);
        this.most = Math.max(this.most, this.open.size);
        return { messages: [user(`session ${session.id}`)], done: false, tools: [tool], steps: [step(0)] };
      },
      step: () => this.steps(session.id, ++session.at),
      close: () => {
        this.open.delete(session.id);
        return Promise.resolve();
      },
    };
  }
}

function attempting(domain: Sessions, plan: Partial<AttemptPlan> = {}, recorded: Trace[] = []) {
  const [requests, traces]: [SampleRequest[], Trace[]] = [[], []];
  const scripted = new ScriptedPolicy('agent', 4);
  async function* sample(_: unknown, asked: readonly SampleRequest[]) {
    requests.push(...asked);
    for (const { id: requestId } of asked) {
      await Promise.resolve();
      const said = { promptTokens: [1], tokens: [2], logprobs: [-1], text: 'up', stopReason: 'stop' } as const;
      yield { requestId, index: 0, ...said };
    }
  }
  const loop: Attempters = {
    experiment: smallExperiment({ rollouts: { maxTurns: 5 } }),
    agent: {
      policy: {
        capabilities: scripted.capabilities,
        publish: (name) => scripted.publish(name),
        sample,
        checkpoint: (name) => scripted.checkpoint(name),
        restore: (ref) => scripted.restore(ref),
        dispose: () => scripted.dispose(),
      },
      version: { name: 'agent@7', handle: 'h' },
    },
    ports: {
      domain,
      scorer: new LadderScorer(),
      signal: new AbortController().signal,
      records: {
        appendTraces: (some) => {
          traces.push(...some);
          return Promise.resolve();
        },
        tracesOf: () => Promise.resolve(recorded),
      },
    },
  };
  const tasks = ['a', 'b'].map((id) => makeTask({ id, gold: 'up', prompt: [user(`go ${id}`)] }));
  const done = attempt(loop, {
    ...{ purpose: 'train', epoch: 3, tasks, group: 3, minimum: 1, closed: false },
    ...{ temperature: 0.8, keepSequences: true, ...plan },
  });
  return { done, requests, traces };
}

describe('attempts in sessions', () => {
  it('begin with a reset each, and give their session back', async () => {
    const domain = new Sessions();
    const { done, requests, traces } = attempting(domain);
    await done;
    assert.deepEqual([domain.begun, domain.most, domain.open.size, traces.length], [6, 6, 0, 6]);
    const first = requests.filter(({ messages }) => messages.every(({ role }) => role !== 'assistant'));
    assert.deepEqual(
      first.map(({ id, n }) => [id, n]),
      ['a', 'b'].flatMap((task) => [0, 1, 2].map((i) => [`e3/${task}/r${i}`, 1])),
    );
    assert.equal(new Set(requests.map(({ seed }) => seed)).size, requests.length);
    assert.ok(requests.every(({ tools }) => tools?.[0]?.name === 'look'));
    for (const [i, { messages, steps, stopReason }] of traces.entries()) {
      assert.deepEqual(
        messages.map(({ content }) => content),
        [`session ${i}`, 'up', 'at 1', 'up', 'at 2'],
      );
      assert.deepEqual([steps, stopReason], [[0, 1, 2].map(step), 'stop']);
    }
  });

  it('are only begun where they are missing', async () => {
    const domain = new Sessions();
    const recorded = [
      makeTrace({ id: 'e3/a/r1', task: 'a', epoch: 3 }),
      makeTrace({ id: 'e3/b/r0', task: 'b', epoch: 3 }),
    ];
    const { done, traces } = attempting(domain, {}, recorded);
    const { groups } = await done;
    assert.equal(domain.begun, 4);
    assert.deepEqual(traces.map(({ id }) => id).sort(), ['e3/a/r0', 'e3/a/r2', 'e3/b/r1', 'e3/b/r2']);
    assert.ok(groups.every((group) => group.traces.length === 3));
  });

  it('lose one that dies, at its reset or later, and no other', async () => {
    const domain = new Sessions();
    domain.before = (session) => (session === 1 ? Promise.reject(new EpisodeError('no level')) : Promise.resolve());
    const { steps } = domain;
    domain.steps = (session, at) => {
      if (session === 4 && at === 2) throw new EpisodeError('it fell off the table');
      return steps(session, at);
    };
    const { done, traces } = attempting(domain);
    const { unanswered } = await done;
    assert.deepEqual(traces.map(({ id }) => id).sort(), ['e3/a/r0', 'e3/a/r2', 'e3/b/r0', 'e3/b/r2']);
    assert.equal(unanswered?.count, 2);
    assert.equal(domain.open.size, 0);
  });

  it('stop waiting for a place when one fails for all', async () => {
    const domain = new Sessions();
    let waiting = 0;
    domain.before = async (session, signal) => {
      if (session === 0) throw new Error('the server is away');
      waiting += 1;
      await new Promise((_, reject) => {
        const stop = (): void => reject(new Error('stopped'));
        if (signal?.aborted === true) stop();
        else signal?.addEventListener('abort', stop);
      });
    };
    const { done, traces } = attempting(domain);
    await assert.rejects(done, /^Error: the server is away$/);
    assert.deepEqual([waiting, traces.length, domain.open.size], [5, 0, 0]);
  });
});

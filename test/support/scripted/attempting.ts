/** Attempts by a policy that answers as a test says, and what was asked, recorded and told meanwhile. */
import assert from 'node:assert/strict';
import { attempt } from '../../../src/engine/phases/attempts/attempt.ts';
import type { Attempters, AttemptPlan } from '../../../src/engine/phases/attempts/attemptPlan.ts';
import type { Environment, FailedCompletion, Judge, Progress, SampleRequest } from '../../../src/engine/ports.ts';
import type { Message } from '../../../src/shared/records/message.ts';
import type { Task } from '../../../src/shared/records/task.ts';
import type { Trace } from '../../../src/shared/records/trace.ts';
import { makeTask } from '../runs/records.ts';
import { LadderDomain, LadderScorer, user } from './ladder.ts';
import { ScriptedPolicy } from './scriptedPolicy.ts';
import { smallExperiment } from './scriptedRun.ts';
import type { Completion } from '../../../src/engine/completion.ts';

/** Prompts as a system message and a question, and episodes where a test gives them. */
class Posing extends LadderDomain {
  readonly #episode: (() => Environment) | null;

  constructor(episode: (() => Environment) | null = null) {
    super();
    this.#episode = episode;
  }

  override agentPrompt(task: Task): readonly Message[] {
    return [{ role: 'system', content: 'Climb.' }, ...task.prompt];
  }

  override environment(): Environment | null {
    return this.#episode?.() ?? null;
  }
}

export type Answers = (request: SampleRequest, index: number) => readonly (Completion | FailedCompletion)[];

export const said = (
  request: Pick<SampleRequest, 'id'>,
  index: number,
  text: string,
  more: Partial<Completion> = {},
): Completion => ({
  ...{ requestId: request.id, index, promptTokens: [1, 2], tokens: [3, 4, 5], logprobs: [-1, -0.12345678, -2], text },
  ...{ stopReason: 'stop', ...more },
});

interface Setup {
  answers?: Answers;
  episode?: () => Environment;
  judge?: Judge;
  deterministic?: boolean;
  recorded?: Trace[];
  /** The disk, where it is not simply there. */
  append?: (traces: readonly Trace[]) => Promise<void>;
  /** Work after the answers of a sampling. */
  after?: (signal: AbortSignal) => Promise<void>;
  rollouts?: Parameters<typeof smallExperiment>[0];
}

export const task = (id: string): Task => makeTask({ id, gold: 'up', prompt: [user(`go ${id}`)] });

const right: Answers = (request, index) => [said(request, index, 'up')];

/** Attempts tasks a and b by a policy that answers as told, and keeps what was asked, recorded and told. */
export function attempting(plan: Partial<AttemptPlan> = {}, setup: Setup = {}) {
  const { answers = right, deterministic = true } = setup;
  const [requests, traces, progress]: [SampleRequest[], Trace[], Progress[]] = [[], [], []];
  const scripted = new ScriptedPolicy('agent', 4);
  async function* sample(_: unknown, asked: readonly SampleRequest[], signal: AbortSignal) {
    assert.ok(asked.length > 0, 'nothing is asked for');
    requests.push(...asked);
    for (const request of asked) {
      assert.ok(request.messages.length > 0, 'a request has something to read');
      for (const index of request.only ?? Array.from({ length: request.n }, (__, i) => i)) {
        await Promise.resolve();
        yield* answers(request, index);
      }
    }
    await setup.after?.(signal);
  }
  const loop: Attempters = {
    experiment: smallExperiment(setup.rollouts),
    agent: {
      policy: {
        capabilities: { ...scripted.capabilities, deterministic },
        publish: (name) => scripted.publish(name),
        sample,
        checkpoint: (name) => scripted.checkpoint(name),
        restore: (ref) => scripted.restore(ref),
        dispose: () => scripted.dispose(),
      },
      version: { name: 'agent@7', handle: 'h' },
    },
    ports: {
      domain: new Posing(setup.episode ?? null),
      scorer: new LadderScorer(),
      ...(setup.judge === undefined ? {} : { judge: setup.judge }),
      signal: new AbortController().signal,
      onProgress: (now) => progress.push(now),
      records: {
        appendTraces: (some) => {
          traces.push(...some);
          return setup.append?.(some) ?? Promise.resolve();
        },
        tracesOf: () => Promise.resolve(setup.recorded ?? []),
      },
    },
  };
  const done = attempt(loop, {
    ...{ purpose: 'train', epoch: 3, tasks: [task('a'), task('b')], group: 2, minimum: 2, closed: false },
    ...{ temperature: 0.8, keepSequences: true, ...plan },
  });
  return { done, requests, traces, progress };
}

/** The engine's ports, each call told to a watcher with its times. What the engine sees is as it was. */
import type { Completion } from '../../engine/completion.ts';
import type {
  Clock,
  Domain,
  Environment,
  FailedCompletion,
  Judge,
  Policy,
  PolicyVersion,
  Ports,
  Records,
  SampleRequest,
  Scorer,
} from '../../engine/ports.ts';
import { defined } from '../../shared/defined.ts';
import type { Message } from '../../shared/records/message.ts';
import type { Trace } from '../../shared/records/trace.ts';
import { overlaid } from './overlaid.ts';
import { messageOf } from '../../shared/messageOf.ts';

export interface Times {
  start: number;
  end: number;
}

export interface ModelCall extends Times {
  role: 'agent' | 'environment';
  version: string;
  request: SampleRequest;
  answer: Completion | FailedCompletion;
}

/** An episode's answer to one action. */
export interface ToolStep extends Times {
  action: string;
  answer: readonly Message[];
  error?: string;
}

export interface Watcher {
  called(call: ModelCall): void;
  /** The steps of one episode of a task; the list grows. */
  played(task: string, steps: readonly ToolStep[]): void;
  /** @param by the attempt's id, or its messages */
  judged(by: string | readonly Message[], times: Times): void;
  recorded(traces: readonly Trace[]): void;
  recalled(traces: readonly Trace[]): void;
}

type Watched = Pick<Ports, 'agent' | 'environment' | 'domain' | 'scorer' | 'judge' | 'records' | 'benchmark'>;

export function watchedPorts<P extends Watched>(ports: P, watcher: Watcher, clock: Clock): P {
  const at = { watcher, clock };
  const { judge, benchmark } = ports;
  const own: Partial<Watched> = {
    agent: policy(ports.agent, 'agent', at),
    environment: policy(ports.environment, 'environment', at),
    domain: domain(ports.domain, at),
    scorer: scorer(ports.scorer, at),
    records: records(ports.records, watcher),
    ...defined({ judge: judge && judging(judge, at) }),
    ...defined({
      benchmark: benchmark && {
        ...{ ...benchmark, domain: domain(benchmark.domain, at), scorer: scorer(benchmark.scorer, at) },
      },
    }),
  };
  return { ...ports, ...own };
}

interface At {
  watcher: Watcher;
  clock: Clock;
}

function policy(target: Policy, role: ModelCall['role'], at: At): Policy {
  return overlaid(target, {
    sample: (version, requests, signal) => sampled(target, role, at, [version, requests, signal]),
    restore: async (ref) => policy(await target.restore(ref), role, at),
  });
}

async function* sampled(
  target: Policy,
  role: ModelCall['role'],
  { watcher, clock }: At,
  [version, requests, signal]: [PolicyVersion, readonly SampleRequest[], AbortSignal],
): AsyncIterable<Completion | FailedCompletion> {
  const start = clock.now();
  const byId = new Map(requests.map((request) => [request.id, request]));
  for await (const answer of target.sample(version, requests, signal)) {
    const request = byId.get(answer.requestId);
    if (request !== undefined) {
      watcher.called({ role, version: version.name, request, answer, start, end: clock.now() });
    }
    yield answer;
  }
}

function domain(target: Domain, at: At): Domain {
  return overlaid(target, {
    environment(task) {
      const played = target.environment(task);
      return played === null ? null : episode(played, task.id, at);
    },
  });
}

function episode(target: Environment, task: string, { watcher, clock }: At): Environment {
  const steps: ToolStep[] = [];
  return overlaid(target, {
    async step(action, reasoning) {
      const start = clock.now();
      if (steps.length === 0) watcher.played(task, steps);
      try {
        const observation = await target.step(action, reasoning);
        steps.push({ action, answer: observation.messages, start, end: clock.now() });
        return observation;
      } catch (error) {
        const why = messageOf(error);
        steps.push({ action, answer: [], error: why, start, end: clock.now() });
        throw error;
      }
    },
  });
}

function scorer(target: Scorer, { watcher, clock }: At): Scorer {
  return overlaid(target, {
    score(task, trace) {
      const start = clock.now();
      const verdict = target.score(task, trace);
      watcher.judged(trace.messages, { start, end: clock.now() });
      return verdict;
    },
  });
}

function judging(target: Judge, { watcher, clock }: At): Judge {
  return overlaid(target, {
    async judge(task, trace) {
      const start = clock.now();
      const verdict = await target.judge(task, trace);
      watcher.judged(trace.id, { start, end: clock.now() });
      return verdict;
    },
  });
}

const records = (target: Records, watcher: Watcher): Records =>
  overlaid(target, {
    async appendTraces(traces) {
      await target.appendTraces(traces);
      watcher.recorded(traces);
    },
    async tracesOf(epoch) {
      const traces = await target.tracesOf(epoch);
      watcher.recalled(traces);
      return traces;
    },
  });

/** Tasks and traces as a run writes them, made by hand. */
import type { Task } from '../../../src/shared/records/task.ts';
import type { Trace } from '../../../src/shared/records/trace.ts';

export function makeTask(over: Partial<Task> = {}): Task {
  return {
    v: 1,
    id: 'e1.f0.v0',
    family: 'e1.f0',
    epoch: 1,
    origin: 'generated',
    seed: 'base.3',
    status: 'accepted',
    prompt: [{ role: 'user', content: 'first increase apple n4' }],
    evaluation: { kind: 'storekeeper' },
    gold: 'first increase f3 apple n4 <end>',
    complexity: { steps: 1 },
    plan: 'K1 M1 W0',
    generation: {
      version: 'environment@0',
      context: [{ role: 'user', content: 's5' }],
      tokens: [1, 2, 3, 4],
      spans: [[1, 4]],
      logprobs: [-0.5, -0.25, -1],
      text: 'REQ first increase apple n4',
    },
    ...over,
  };
}

export function makeTrace(over: Partial<Trace> = {}): Trace {
  return {
    v: 1,
    id: 'e1/e1.f0.v0/r0',
    purpose: 'train',
    task: 'e1.f0.v0',
    family: 'e1.f0',
    epoch: 1,
    version: 'agent@0',
    messages: [{ role: 'assistant', content: 'first increase f3 apple n4', tokens: [5, 6, 7] }],
    sequences: [{ tokens: [1, 5, 6, 7], spans: [[1, 4]], logprobs: [-0.1, -0.2, -0.3] }],
    stopReason: 'stop',
    verdict: { success: true, reward: 1, valid: true },
    ...over,
  };
}

/** Attempts r0 … at one task. */
export function attemptsAt(task: Task, verdicts: readonly boolean[], epoch = task.epoch): Trace[] {
  return verdicts.map((success, r) =>
    makeTrace({
      id: `e${epoch}/${task.id}/r${r}`,
      task: task.id,
      family: task.family,
      epoch,
      verdict: { success, reward: success ? 1 : 0.25, valid: true },
    }),
  );
}

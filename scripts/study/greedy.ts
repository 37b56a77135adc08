/** Success of a run's last agent on the validation set when it answers greedily: the same policy, another decoding. */
import { join } from 'node:path';
import { embeddedAssets } from '../../src/endpoints/embedded/assets.ts';
import { EmbeddedPolicy } from '../../src/endpoints/embedded/embeddedPolicy.ts';
import { StorekeeperDomain } from '../../src/benchmarks/storekeeper/domain.ts';
import { StorekeeperScorer } from '../../src/benchmarks/storekeeper/scorer.ts';
import type { JournalEvent } from '../../src/shared/journal/events.ts';

export async function greedyValidation(dir: string, events: readonly JournalEvent[], dist: URL): Promise<number> {
  const checkpoint = events.findLast((event) => event.type === 'agent.updated')?.checkpoint;
  if (checkpoint === undefined) throw new Error(`The agent of ${dir} was never updated.`);
  const { worker, kernels, weights } = embeddedAssets(dist);
  const checkpoints = join(dir, 'checkpoints');
  const start = await EmbeddedPolicy.load({ name: 'agent', weights: weights.agent, worker, kernels, checkpoints });
  const policy = await start.restore(checkpoint);
  try {
    const tasks = new StorekeeperDomain().seeds('validation');
    const byId = new Map(tasks.map((task) => [task.id, task]));
    const requests = tasks.map((task) => ({
      id: task.id,
      messages: task.prompt,
      n: 1,
      seed: 0,
      maxTokens: 96,
      temperature: 0,
    }));
    const scorer = new StorekeeperScorer();
    let solved = 0;
    const version = await policy.publish('greedy');
    for await (const { requestId, text, stopReason } of policy.sample(
      version,
      requests,
      new AbortController().signal,
    )) {
      const task = byId.get(requestId);
      if (task === undefined) continue;
      const messages = [{ role: 'assistant' as const, content: text }];
      if (scorer.score(task, { messages, stopReason }).success) solved += 1;
    }
    return solved / tasks.length;
  } finally {
    await Promise.all([policy.dispose(), start.dispose()]);
  }
}

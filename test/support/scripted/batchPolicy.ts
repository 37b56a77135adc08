/**
 * A trainer that takes whole jobs, around the scripted policy's one weight: it attempts, judges and steps by itself on
 * a `Cluster` that outlives its caller. Its sampler returns only text, like a server without token ids.
 */
import assert from 'node:assert/strict';
import type {
  BatchPolicy,
  Capabilities,
  CheckpointRef,
  JobAttempt,
  JobOutcome,
  JobProgress,
  PolicyVersion,
  SampleRequest,
  TrainingJob,
} from '../../../src/engine/ports.ts';
import type { Message } from '../../../src/shared/records/message.ts';
import { LadderScorer } from './ladder.ts';
import type { ScriptedPolicy } from './scriptedPolicy.ts';
import type { Completion } from '../../../src/engine/completion.ts';

/** Events where jobs run; a crash of the caller does not affect it. */
export class Cluster {
  /** Every job ever submitted, as it was described, by role and name; how often each was asked for. */
  readonly jobs = new Map<string, { job: TrainingJob; outcome: JobOutcome; asked: number }>();
  /** The job's own copy of the scorer. */
  scorer = new LadderScorer();
  /** Attempts that its dumps leave out. */
  drops: (attempt: JobAttempt) => boolean = () => false;
  /** Attempts of which its dumps tell how long they are. */
  counts: (attempt: JobAttempt) => boolean = () => true;
  /** Tokens of each prompt by its dumps. */
  promptTokens: number | null = 10;
  metrics: Record<string, number> = { 'critic/score/mean': 0.5, 'actor/grad_norm': 0.25 };
  told: JobOutcome['told'] = { loss: null, entropy: null, gradNorm: null, referenceKl: null };
  /** Called before an answer is given; may wait or throw. */
  beforeAnswer: (job: TrainingJob, signal: AbortSignal) => Promise<void> = () => Promise.resolve();
}

export class BatchScriptedPolicy implements BatchPolicy {
  readonly #role: 'agent' | 'environment';
  readonly #base: ScriptedPolicy;
  readonly #cluster: Cluster;
  readonly capabilities: Capabilities;

  constructor(role: 'agent' | 'environment', base: ScriptedPolicy, cluster: Cluster) {
    this.#role = role;
    this.#base = base;
    this.#cluster = cluster;
    this.capabilities = { ...base.capabilities, mode: 'batch', score: false };
  }

  /** A version is where its weights lie. */
  async publish(name: string): Promise<PolicyVersion> {
    await this.#base.checkpoint(name);
    return { name, handle: name };
  }

  async *sample(
    version: PolicyVersion,
    requests: readonly SampleRequest[],
    signal: AbortSignal,
  ): AsyncIterable<Completion> {
    const policy = await this.#base.restore(version);
    const served = await policy.publish(version.name);
    for await (const completion of policy.sample(served, requests, signal))
      yield { ...completion, promptTokens: [], tokens: [], logprobs: [] };
  }

  async runJob(
    job: TrainingJob,
    signal: AbortSignal,
    onProgress?: (progress: JobProgress) => void,
  ): Promise<JobOutcome> {
    const id = `${this.#role} ${job.name}`;
    const known = this.#cluster.jobs.get(id);
    if (known !== undefined) assert.deepEqual(plain(job), plain(known.job), `${id} is another job than at first`);
    onProgress?.({ state: 'queued', step: 0, steps: null });
    const entry = known ?? { job, outcome: await this.#train(job, id), asked: 0 };
    entry.asked += 1;
    this.#cluster.jobs.set(id, entry);
    onProgress?.({ state: 'running', step: 1, steps: 1 });
    await this.#cluster.beforeAnswer(job, signal);
    signal.throwIfAborted();
    return entry.outcome;
  }

  async #train(job: TrainingJob, id: string): Promise<JobOutcome> {
    const policy = await this.#base.restore(job.from.checkpoint);
    const attempts = job.kind === 'agent' ? await this.#attempt(policy, job) : [];
    if (job.kind === 'agent') {
      const mean = attempts.reduce((sum, { reward }) => sum + reward, 0) / attempts.length;
      const data = attempts.map(({ text, reward }) => ({
        tokens: Array.from(text, (character) => character.charCodeAt(0)),
        advantages: [(reward - mean) / attempts.length],
      }));
      await policy.accumulate(data, { name: 'ppo', clipLow: 0.8, clipHigh: 1.2 });
    } else {
      for (const messages of job.examples) {
        const { tokens, spans } = await policy.render(messages);
        assert.ok(spans.length > 0, 'every row has a turn to learn');
        await policy.accumulate([{ tokens, weights: [1 / job.examples.length] }], { name: 'cross_entropy' });
      }
    }
    await policy.step({ ...job.settings.adam, learningRate: job.settings.learningRate });
    const checkpoint = await policy.checkpoint(job.to);
    const { metrics } = this.#cluster;
    const told = attempts
      .filter((attempt) => !this.#cluster.drops(attempt))
      .map((attempt) => (this.#cluster.counts(attempt) ? attempt : { ...attempt, tokens: null }));
    return { id, version: { ...checkpoint }, checkpoint, attempts: told, steps: 1, metrics, told: this.#cluster.told };
  }

  async #attempt(policy: ScriptedPolicy, job: Extract<TrainingJob, { kind: 'agent' }>): Promise<JobAttempt[]> {
    const version = await policy.publish(job.to);
    const { group, temperature, maxTokens } = job.rollouts;
    const requests = job.tasks.map(({ id, messages }) => ({
      ...{ id, messages, n: group, seed: job.seed, maxTokens, temperature },
    }));
    const { promptTokens } = this.#cluster;
    const attempts: JobAttempt[] = [];
    for await (const { requestId, index, text, tokens } of policy.sample(version, requests, unending)) {
      const task = job.tasks.find(({ id }) => id === requestId);
      assert.ok(task !== undefined);
      const messages: Message[] = [{ role: 'assistant', content: text }];
      const { reward } = this.#cluster.scorer.score(task, { messages, stopReason: 'stop' });
      attempts.push({ task: requestId, index, text, reward, promptTokens, tokens: tokens.length, stopReason: 'stop' });
    }
    return attempts;
  }

  checkpoint(name: string): Promise<CheckpointRef> {
    return this.#base.checkpoint(name);
  }

  async restore(ref: CheckpointRef): Promise<BatchScriptedPolicy> {
    return new BatchScriptedPolicy(this.#role, await this.#base.restore(ref), this.#cluster);
  }

  dispose(): Promise<void> {
    return Promise.resolve();
  }
}

/** Jobs continue whatever happens to their caller. */
const unending = new AbortController().signal;

const plain = (job: TrainingJob): unknown => JSON.parse(JSON.stringify(job));

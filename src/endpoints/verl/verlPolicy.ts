/**
 * A policy that whole jobs of verl train, and a vLLM server samples. Its weights are the base model and an adapter in a
 * folder of the cluster: each job starts from one and leaves the next.
 */
import * as l10n from '@vscode/l10n';
import type {
  BatchPolicy,
  Capabilities,
  CheckpointRef,
  FailedCompletion,
  JobOutcome,
  JobProgress,
  PolicyVersion,
  SampleRequest,
  TrainingJob,
} from '../../engine/ports.ts';
import { checkEndpoint } from './files/jobSettings.ts';
import { Jobs } from './jobs.ts';
import type { VerlPolicyParts } from './files/parts.ts';
import type { Completion } from '../../engine/completion.ts';

/** Handle of the weights that nothing has trained yet. Every other one is an adapter's folder. */
const base = 'verl:base';

export class VerlPolicy implements BatchPolicy {
  readonly capabilities: Capabilities;
  readonly #parts: VerlPolicyParts;
  readonly #origin: string;
  readonly #jobs: Jobs;
  readonly #ending = new AbortController();
  /** Shared by everything restored from one opened policy: closed with the last of them. */
  readonly #shares: { open: number };

  private constructor(parts: VerlPolicyParts, origin: string, shares: { open: number }) {
    this.#parts = parts;
    this.#origin = origin;
    this.#shares = shares;
    this.#jobs = new Jobs(parts);
    shares.open += 1;
    const { maxContext, concurrency } = parts.sampler.capabilities;
    this.capabilities = {
      ...{ mode: 'batch', losses: [], score: false, reduction: 'mean', deterministic: false },
      ...{ maxContext, concurrency },
    };
  }

  /** @throws EndpointError: nothing usable there, or settings that a job cannot have */
  static async open(parts: VerlPolicyParts, signal: AbortSignal): Promise<VerlPolicy> {
    const { endpoint, launcher, log } = parts;
    checkEndpoint(endpoint);
    log.info(`${launcher.url}: ${await launcher.check(signal)}.`);
    return new VerlPolicy(parts, base, { open: 0 });
  }

  publish(name: string): Promise<PolicyVersion> {
    return Promise.resolve({ name, handle: this.#origin });
  }

  async *sample(
    version: PolicyVersion,
    requests: readonly SampleRequest[],
    signal: AbortSignal,
  ): AsyncGenerator<Completion | FailedCompletion, void> {
    const ending = AbortSignal.any([signal, this.#ending.signal]);
    const adapter = version.handle === base ? null : { version: version.name, folder: version.handle };
    yield* this.#parts.sampler.sample(adapter, requests, ending);
  }

  async runJob(
    job: TrainingJob,
    signal: AbortSignal,
    onProgress?: (progress: JobProgress) => void,
  ): Promise<JobOutcome> {
    const { handle } = job.from.checkpoint;
    const ending = AbortSignal.any([signal, this.#ending.signal]);
    const { id, adapter, ...told } = await this.#jobs.run(job, handle === base ? null : handle, ending, onProgress);
    const made = { name: job.to, handle: adapter };
    return { id, version: made, checkpoint: made, ...told };
  }

  checkpoint(name: string): Promise<CheckpointRef> {
    return Promise.resolve({ name, handle: this.#origin });
  }

  restore({ handle }: CheckpointRef): Promise<VerlPolicy> {
    return Promise.resolve(new VerlPolicy(this.#parts, handle, this.#shares));
  }

  async dispose(): Promise<void> {
    if (this.#ending.signal.aborted) return;
    this.#ending.abort(new Error(l10n.t('The policy was disposed of.')));
    this.#shares.open -= 1;
    if (this.#shares.open > 0) return;
    this.#parts.launcher.close();
    await this.#parts.sampler.dispose();
  }
}

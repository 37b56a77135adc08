/** The server that samples what jobs trained: its own base model, and adapters that it loads while it runs. */
import type { Capabilities, FailedCompletion, Policy, SampleRequest } from '../../engine/ports.ts';
import { adapterHandle } from '../openai/adapters/adapterHandle.ts';
import type { Adapters } from '../openai/adapters/adapters.ts';
import type { Completion } from '../../engine/completion.ts';

export class AdapterSampler {
  readonly #policy: Policy;
  readonly #adapters: Pick<Adapters, 'publish'>;
  readonly #family: string;

  /**
   * @param policy samples the base model, and whatever adapter a version's handle names; disposed of with this
   * @param family how the names of this policy's adapters begin, as `adapters` knows it
   */
  constructor(policy: Policy, adapters: Pick<Adapters, 'publish'>, family: string) {
    this.#policy = policy;
    this.#adapters = adapters;
    this.#family = family;
  }

  get capabilities(): Capabilities {
    return this.#policy.capabilities;
  }

  /** Loads the adapter first, every time: the server may have been started again. Null: the base model. */
  async *sample(
    adapter: { version: string; folder: string } | null,
    requests: readonly SampleRequest[],
    signal: AbortSignal,
  ): AsyncGenerator<Completion | FailedCompletion, void> {
    const own = await this.#policy.publish(adapter?.version ?? 'base');
    const version = adapter === null ? own : { ...own, handle: await this.#loaded(adapter, signal) };
    yield* this.#policy.sample(version, requests, signal);
  }

  async dispose(): Promise<void> {
    await this.#policy.dispose();
  }

  async #loaded({ version, folder }: { version: string; folder: string }, signal: AbortSignal): Promise<string> {
    const name = `${this.#family}${version.replace(/^.*@/, '')}`;
    const { model } = await this.#adapters.publish({ name, path: folder, trained: true }, signal);
    return adapterHandle(model);
  }
}

/** How the names of a policy's adapters begin: no other run's, and not the other policy's. */
export const adapterFamily = (run: string, role: 'agent' | 'environment'): string =>
  `genenv-${run.replaceAll(/[^\w.-]/g, '-')}-${role}-`;

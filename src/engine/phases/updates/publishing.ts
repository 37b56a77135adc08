/** Weights are given to samplers: how long it took, and when. */
import type { EventOf } from '../../../shared/journal/events.ts';
import type { Loop } from '../../loop.ts';
import type { Policy, PolicyVersion } from '../../ports.ts';

type Published = NonNullable<EventOf<'agent.updated'>['published']>;

export class Publishing {
  readonly #loop: Pick<Loop, 'ports'>;
  readonly #policy: Policy;
  readonly #published: Published = [];

  constructor(loop: Pick<Loop, 'ports'>, policy: Policy) {
    this.#loop = loop;
    this.#policy = policy;
  }

  async publish(name: string): Promise<PolicyVersion> {
    const { clock } = this.#loop.ports;
    const from = clock.now();
    const version = await this.#policy.publish(name);
    const at = clock.now();
    this.#published.push({ at, seconds: (at - from) / 1000 });
    return version;
  }

  /** For the update's event; nothing of an endpoint that repeats itself, which publishes in this process or beside it. */
  get event(): { published?: Published } {
    return this.#policy.capabilities.deterministic ? {} : { published: this.#published };
  }
}

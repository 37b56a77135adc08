/** Weights are given to samplers: how long it took, and when. */
import type { EventOf } from '../../../shared/journal/events.ts';
import type { Loop } from '../../loop.ts';
import type { Policy, PolicyVersion } from '../../ports.ts';

type Published = NonNullable<EventOf<'agent.updated'>['published']>;

export class Publishing {
  readonly #loop: Pick<Loop, 'ports' | 'experiment'>;
  readonly #policy: Policy;
  readonly #role: 'agent' | 'environment';
  readonly #published: Published = [];

  constructor(role: 'agent' | 'environment', loop: Pick<Loop, 'ports' | 'experiment'>, policy: Policy) {
    this.#role = role;
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

  /** For the update's event; nothing of an embedded model, which publishes at once. */
  get event(): { published?: Published } {
    const { kind } = this.#loop.experiment.endpoints[this.#role];
    return kind === 'embedded' ? {} : { published: this.#published };
  }
}

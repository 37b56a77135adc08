/** The slots of a run's endpoints, by the policies that share them. */
import type { AdaptiveScheduler } from '../../endpoints/schedule/adaptiveScheduler.ts';
import type { Ports } from '../../engine/ports.ts';
import type { Schedulers } from './schedulers.ts';
import type { Role } from './weightFiles.ts';

export class RunSlots {
  readonly #schedulers: Schedulers;
  readonly #roles = new Map<AdaptiveScheduler, Role[]>();

  constructor(schedulers: Schedulers) {
    this.#schedulers = schedulers;
  }

  /** Notes that a policy's requests take turns there. */
  of(role: Role): Pick<Schedulers, 'of'> {
    return {
      of: (urls, limit) => {
        const scheduler = this.#schedulers.of(urls, limit);
        const roles = this.#roles.get(scheduler) ?? [];
        if (!roles.includes(role)) roles.push(role);
        this.#roles.set(scheduler, roles);
        return scheduler;
      },
    };
  }

  /** Of the endpoints that are open now: one that is opened later never counts, so that every process tells the same ones. */
  asPort(): NonNullable<Ports['slots']> {
    const open = [...this.#roles].map(([scheduler, roles]) => ({ scheduler, roles: [...roles] }));
    return () =>
      open.map(({ scheduler, roles }) => {
        const { used, room } = scheduler.seconds;
        return { roles, used: { seconds: used }, room: { seconds: room } };
      });
  }
}

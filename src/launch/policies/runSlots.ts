/** The slots of a run's endpoints, by the policies that share them. */
import type { AdaptiveScheduler } from '../../endpoints/schedule/adaptiveScheduler.ts';
import type { Ports } from '../../engine/ports.ts';
import { outOfRange } from '../../shared/outOfRange.ts';
import type { Schedulers } from './schedulers.ts';
import { firstRoom, settledRoom, type SettledRoom } from './settledRooms.ts';
import type { Role } from './weightFiles.ts';

export class RunSlots {
  readonly #schedulers: Schedulers;
  readonly #settled: readonly SettledRoom[];
  readonly #roles = new Map<AdaptiveScheduler, Role[]>();
  readonly #servers = new Map<string, { scheduler: AdaptiveScheduler; urls: readonly string[]; model: string }>();

  /** @param settled the rooms of the run's last session */
  constructor(schedulers: Schedulers, settled: readonly SettledRoom[] = []) {
    this.#schedulers = schedulers;
    this.#settled = settled;
  }

  /** Notes that a policy's requests take turns there. */
  of(role: Role, model: string): Pick<Schedulers, 'of' | 'silences'> {
    return {
      silences: this.#schedulers.silences,
      of: (urls, limit) => {
        const settled = urls.map((url) => settledRoom(this.#settled, hrefOf(url), model));
        const starts = settled.map((room) => (room === undefined ? undefined : firstRoom(room)));
        const scheduler = this.#schedulers.of(urls, limit, starts);
        this.#servers.set(`${urls.join(' ')} ${model}`, { scheduler, urls, model });
        const roles = this.#roles.get(scheduler) ?? [];
        if (!roles.includes(role)) roles.push(role);
        this.#roles.set(scheduler, roles);
        return scheduler;
      },
    };
  }

  /**
   * The rooms of this session, to begin the next one with. A session that learnt nothing of a server leaves what was settled
   * on before: sessions that end early do not halve it each time.
   */
  get rooms(): SettledRoom[] {
    return [...this.#servers.values()].flatMap(({ scheduler, urls, model }) =>
      scheduler.rooms.map((now, i) => {
        const url = hrefOf(urls[i] ?? outOfRange());
        const before = settledRoom(this.#settled, url, model);
        return { url, model, room: before !== undefined && firstRoom(before) === now ? before : now };
      }),
    );
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

const hrefOf = (url: string): string => new URL(url).href;

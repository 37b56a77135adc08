/** How much of the endpoints' slots an epoch kept busy, in this process. */
import type { Slots } from '../../shared/journal/events.ts';
import type { Ports } from '../ports.ts';

export class SlotUse {
  readonly #ports: Pick<Ports, 'slots'>;
  #before: Slots[] = [];

  constructor(ports: Pick<Ports, 'slots'>) {
    this.#ports = ports;
  }

  /** An epoch begins, or is taken up again. */
  begin(): void {
    this.#before = this.#ports.slots?.() ?? [];
  }

  /** Since then; nothing where no endpoint has slots. */
  get event(): { slots?: Slots[] } {
    const now = this.#ports.slots?.() ?? [];
    if (now.length === 0) return {};
    return {
      slots: now.map(({ roles, used, room }, i) => {
        const before = this.#before[i];
        return {
          roles,
          used: since(used, before?.used),
          room: since(room, before?.room),
        };
      }),
    };
  }
}

/** To the millisecond. */
const since = (now: { seconds: number }, before: { seconds: number } | undefined): { seconds: number } => ({
  seconds: Math.round(1000 * (now.seconds - (before?.seconds ?? 0))) / 1000,
});

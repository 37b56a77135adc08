/** Ids and plans of families, asked from the host an epoch at a time when they are needed. */
import type { FamilyDetail } from '../../src/features/calibration/contract.ts';

/** Number of epochs kept; older ones are rarely needed again. */
const most = 24;

export class FamilyNames {
  /** An epoch's names arrived. */
  onLoad: (epoch: number) => void = () => undefined;
  readonly #ask: (epoch: number) => Promise<readonly FamilyDetail[]>;
  readonly #known = new Map<number, readonly FamilyDetail[] | null>();

  /** @param ask rejects when the host has none */
  constructor(ask: (epoch: number) => Promise<readonly FamilyDetail[]>) {
    this.#ask = ask;
  }

  /** Undefined while it is not known; asks for it then. */
  of(epoch: number, ordinal: number): FamilyDetail | undefined {
    return this.all(epoch)?.[ordinal];
  }

  all(epoch: number): readonly FamilyDetail[] | undefined {
    const known = this.#known.get(epoch);
    if (known === undefined) void this.#load(epoch);
    return known ?? undefined;
  }

  /** The names known already; requests nothing. */
  known(epoch: number, ordinal: number): FamilyDetail | undefined {
    return this.#known.get(epoch)?.[ordinal];
  }

  clear(): void {
    this.#known.clear();
  }

  async #load(epoch: number): Promise<void> {
    this.#known.set(epoch, null);
    for (const old of this.#known.keys()) {
      if (this.#known.size <= most) break;
      this.#known.delete(old);
    }
    const names = await this.#ask(epoch).catch(() => []);
    this.#known.set(epoch, names);
    this.onLoad(epoch);
  }
}

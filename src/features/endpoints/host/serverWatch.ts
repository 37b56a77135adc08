/** Polls servers for their description while the view is visible. Independent of the editor. */
import type { Keys } from '../../../launch/access/keys.ts';
import type { Address } from '../../../launch/access/address.ts';
import type { EndpointLook } from '../../../launch/policies/lookAt.ts';

export interface Sight {
  /** The last answer; null for none. */
  look: EndpointLook | null;
  /** Why there is no current answer. */
  error: Error | null;
  /** Milliseconds that the answer took. */
  took: number;
}

export interface Watched {
  id: string;
  address: Address;
}

export interface WatchOptions {
  look: (address: Address, keys: Keys, signal: AbortSignal) => Promise<EndpointLook>;
  /** Must not ask a person. */
  keys: Keys;
  now: () => number;
  onChange: (id: string) => void;
  /** Milliseconds between two looks. */
  pause?: number;
}

/** Often enough to see a queue grow, seldom enough to cost a server nothing. */
const usualPause = 5000;
/** A server that does not answer is asked less and less often, up to this many pauses apart. */
const longest = 12;

export class ServerWatch {
  readonly #options: WatchOptions;
  readonly #sights = new Map<string, Sight>();
  readonly #failures = new Map<string, number>();
  #wanted: readonly Watched[] = [];
  #running: AbortController | null = null;
  #timer: NodeJS.Timeout | null = null;
  #round = 0;

  constructor(options: WatchOptions) {
    this.#options = options;
  }

  /** Undefined before the first answer or failure. */
  sight(id: string): Sight | undefined {
    return this.#sights.get(id);
  }

  /** Looks at these from now on, at once at those that are new; at none: it rests. */
  watch(servers: readonly Watched[]): void {
    const known = new Set(this.#wanted.map(({ id }) => id));
    this.#wanted = servers;
    if (servers.length === 0) {
      this.stop();
      return;
    }
    this.#running ??= new AbortController();
    for (const server of servers) if (!known.has(server.id)) void this.#look(server, this.#running.signal);
    this.#timer ??= setInterval(() => this.#again(), this.#options.pause ?? usualPause);
  }

  /** Looks at one now. */
  async refresh(id: string): Promise<void> {
    const server = this.#wanted.find((one) => one.id === id);
    if (server !== undefined) await this.#look(server, (this.#running ??= new AbortController()).signal);
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    this.#wanted = [];
    this.#running?.abort(new Error('The view is closed.'));
    this.#running = null;
  }

  #again(): void {
    this.#round += 1;
    const { signal } = (this.#running ??= new AbortController());
    for (const server of this.#wanted) {
      const every = Math.min(longest, 2 ** (this.#failures.get(server.id) ?? 0));
      if (this.#round % every === 0) void this.#look(server, signal);
    }
  }

  async #look({ id, address }: Watched, signal: AbortSignal): Promise<void> {
    const { look, keys, now, onChange } = this.#options;
    const began = now();
    const before = this.#sights.get(id);
    try {
      const seen = await look(address, keys, signal);
      this.#failures.delete(id);
      this.#sights.set(id, { look: seen, error: null, took: now() - began });
    } catch (thrown) {
      if (signal.aborted) return;
      this.#failures.set(id, (this.#failures.get(id) ?? 0) + 1);
      const error = thrown instanceof Error ? thrown : new Error(String(thrown));
      this.#sights.set(id, { look: before?.look ?? null, error, took: now() - began });
    }
    // Times differ in every answer; only the content is worth a redraw.
    const told = (sight: Sight | undefined): string => JSON.stringify([sight?.look, sight?.error?.message]);
    if (told(before) !== told(this.#sights.get(id))) onChange(id);
  }
}

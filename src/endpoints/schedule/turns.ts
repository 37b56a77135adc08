/** Fair turns: the user with the fewest requests in flight is next; among equals, the one that has waited longest. */

/** A user's pending work; it may have nothing to begin just now. */
export interface Source<P> {
  readonly user: string;
  readonly ready: boolean;
  /** Pieces not begun, as far as it is known. */
  readonly waiting: number;
  /** Of the piece that it begins next: of one user's sources the most urgent goes first. Null: in order of their coming. */
  readonly urgency: number | null;
  take(): P;
}

interface User<P> {
  sources: Set<Source<P>>;
  inFlight: number;
  lastTurn: number;
}

export class Turns<P> {
  readonly #users = new Map<string, User<P>>();
  #turn = 0;

  get waiting(): number {
    let sum = 0;
    for (const { sources } of this.#users.values()) for (const source of sources) sum += source.waiting;
    return sum;
  }

  add(source: Source<P>): void {
    this.#userOf(source.user).sources.add(source);
  }

  remove(source: Source<P>): void {
    this.#users.get(source.user)?.sources.delete(source);
    this.#forget(source.user);
  }

  /** The next piece; null when none is ready. */
  next(): P | null {
    let best: { source: Source<P>; user: User<P> } | null = null;
    for (const user of this.#users.values()) {
      if (best !== null && !isBefore(user, best.user)) continue;
      const source = mostUrgent(user.sources);
      if (source !== null) best = { source, user };
    }
    if (best === null) return null;
    this.#turn += 1;
    best.user.lastTurn = this.#turn;
    return best.source.take();
  }

  begin(name: string): void {
    this.#userOf(name).inFlight += 1;
  }

  end(name: string): void {
    this.#userOf(name).inFlight -= 1;
    this.#forget(name);
  }

  #userOf(name: string): User<P> {
    const user = this.#users.get(name) ?? { sources: new Set(), inFlight: 0, lastTurn: 0 };
    this.#users.set(name, user);
    return user;
  }

  #forget(name: string): void {
    const user = this.#users.get(name);
    if (user?.sources.size === 0 && user.inFlight === 0) this.#users.delete(name);
  }
}

/** The first that is ready, unless some of those that are ready are urgent. */
function mostUrgent<P>(sources: Iterable<Source<P>>): Source<P> | null {
  let best: { source: Source<P>; urgency: number } | null = null;
  for (const source of sources) {
    if (!source.ready) continue;
    const { urgency } = source;
    if (urgency === null) return best?.source ?? source;
    if (best === null || urgency > best.urgency) best = { source, urgency };
  }
  return best?.source ?? null;
}

const isBefore = <P>(a: User<P>, b: User<P>): boolean =>
  a.inFlight !== b.inFlight ? a.inFlight < b.inFlight : a.lastTurn < b.lastTurn;

/**
 * Keeps an endpoint saturated and never drowned: work is admitted as room opens. The room adapts to refusals (429,
 * 503), latency and queue depth; replicas share it; users of one endpoint get fair turns.
 */

/** A server's own word on how busy it is. */
export interface Busyness {
  /** Requests it has taken and not begun. */
  waiting: number;
  /** Its memory is full: it puts requests off, or drops what it had computed of them. */
  full: boolean;
}

export interface Scheduler {
  /**
   * Does work for each item when there is room; results in the order they finish. At most as much is begun as there is
   * room for, and no more than is taken. `user`: whose turn it is (`agent samples`): turns are fair among users. Work is
   * given the replica's number to send to, and its signal; where a replica fails, another one is asked, so work must be
   * such that it can be begun again. After a failure nothing more is begun, what is under way may finish and is yielded,
   * then the failure is thrown. Of a user's waiting work the most urgent is begun first; within `items` their order stands.
   * Leaving early aborts what is under way. @throws the signal's reason when aborted, at once
   */
  each<I, T>(
    user: string,
    items: Iterable<I>,
    work: (item: I, replica: number, signal: AbortSignal) => Promise<T>,
    signal: AbortSignal,
    urgency?: (item: I) => number | undefined,
  ): AsyncIterable<T>;
  /** A request that began then (`Time`) was refused, also where it is tried again: there is less room than was thought. */
  refused(replica: number, began: number): void;
  /** Takes the server's report on its queue. */
  busy(replica: number, busyness: Busyness): void;
  /** The load as shown to people. */
  readonly load: { inFlight: number; waiting: number; room: number };
}

/**
 * What keeps an endpoint saturated and never drowned: work is admitted as room opens. The room adapts to refusals (429,
 * 503), latency and queue depth; replicas share it; users of one endpoint get fair turns.
 */

/** What a piece of work tells of how it went. */
export type Outcome = 'done' | 'refused' | 'failed';

export interface Scheduler {
  /**
   * Runs work when there is room. `user`: whose turn it is (`generate`, `attempt`, `score`): turns are fair among users.
   * Work is given the replica's number to send to. @throws what the work throws; the signal's reason when aborted, at once
   */
  run<T>(user: string, work: (replica: number) => Promise<T>, signal: AbortSignal): Promise<T>;
  /** Results in the order they finish; at most as much is begun as there is room for. Ends everything when left early. */
  each<I, T>(
    user: string,
    items: Iterable<I>,
    work: (item: I, replica: number) => Promise<T>,
    signal: AbortSignal,
  ): AsyncIterable<T>;
  /** What a person watching sees. */
  readonly load: { inFlight: number; waiting: number; room: number };
}

import type { Wait } from '../../features/runner/contract.ts';

/** A run's place, or a study's, in the queue of its folder, waiting or running. */
export interface QueuePlace {
  state: 'waiting' | 'running';
  /** Among those that wait, from 1; 0 for one that runs. */
  position: number;
  /** Why it does not start now; null where it runs, or the runner gave no reason. */
  wait: Wait | null;
  /** Of a run under way; null before an epoch has been timed. */
  secondsLeft: number | null;
  /** A runner works on the folder. */
  runner: boolean;
  /** The study that it belongs to, by its name in the queue; null for a run outside studies. */
  study: string | null;
}

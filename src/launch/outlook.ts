import type { RunState } from '../engine/state.ts';

/** Recent epochs that the time left is reckoned from. */
const recent = 5;

/** Share of a run that is done, 0…1, and the remaining seconds; null before an epoch has been timed. */
export interface Outlook {
  share: number;
  secondsLeft: number | null;
}

/** `epochSince`: when the epoch under way began, or was taken up again; milliseconds. */
export function outlook(run: RunState, epochs: number, epochSince: number, now: number): Outlook {
  const { summaries, finished } = run;
  if (finished !== null) return { share: 1, secondsLeft: 0 };
  const times = summaries.slice(-recent).map(({ seconds }) => seconds);
  if (times.length === 0) return { share: 0, secondsLeft: null };
  const each = times.reduce((sum, seconds) => sum + seconds, 0) / times.length;
  // A clock that was set back makes no time negative.
  const elapsed = Math.max(0, now - epochSince) / 1000;
  const within = run.open === null ? 0 : Math.min(1, elapsed / Math.max(each, 1e-3));
  const done = Math.min(epochs, summaries.length + Math.min(within, 0.95));
  return { share: done / epochs, secondsLeft: Math.max(0, (epochs - summaries.length - within) * each) };
}

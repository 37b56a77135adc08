/** The live view of a run: a fold over the loop's events and its progress. */
import type { RunState } from '../../engine/state.ts';
import type { Progress } from '../../engine/ports.ts';
import { outlook, type Outlook } from '../../runs/facts/timeline/outlook.ts';
import { phasesWith } from '../../launch/phases.ts';
import { withChanges } from '../../shared/experiment/changeable.ts';
import type { Experiment } from '../../shared/experiment/schema.ts';
import type { JournalEvent } from '../../shared/journal/events.ts';
import type { Silence } from '../../shared/text/silence.ts';

/** Progress of a phase and when it began, milliseconds. */
export interface PhaseProgress extends Progress {
  since: number;
  now: number;
}

export interface LiveState {
  id: string;
  experiment: Experiment;
  run: RunState;
  /** The phases under way: the two updates run side by side. */
  phases: readonly PhaseProgress[];
  /** When the epoch under way began, or was taken up again. */
  epochSince: number;
  /** Rollouts and tokens a second while attempts are made: of now, else of the last time. */
  rates: { rollouts: number; tokens: number | null } | null;
  /** Its servers that answer nothing now. */
  silences: readonly Silence[];
  /** How it is ending; null while it runs. */
  ending: 'pausing' | 'paused' | 'failed' | null;
}

/** @param started the settings at the start; later changes are in the run's state */
export function liveState(id: string, started: Experiment, run: RunState, now: number): LiveState {
  const experiment = withChanges(started, run.changes) ?? started;
  return { id, experiment, run, phases: [], epochSince: now, rates: null, silences: [], ending: null };
}

/** After an event: its phase is over. */
export function onEvent(before: LiveState, event: JournalEvent, run: RunState, now: number): LiveState {
  const state = { ...before, run, phases: [] };
  if (event.type === 'settings.changed')
    return { ...state, experiment: withChanges(state.experiment, event.changes) ?? state.experiment };
  if (event.type === 'epoch.started') return { ...state, epochSince: now };
  if (event.type === 'rollouts.finished' && event.seconds > 0) {
    const { rollouts, tokens, seconds } = event;
    return { ...state, rates: { rollouts: rollouts / seconds, tokens: tokens === null ? null : tokens / seconds } };
  }
  return state;
}

/** Milliseconds before a phase's rate is shown: before, it is noise. */
const settled = 500;

export function onProgress(state: LiveState, progress: Progress, now: number): LiveState {
  const known = state.phases.find(({ phase, epoch }) => phase === progress.phase && epoch === progress.epoch);
  const since = known?.since ?? now;
  const phases = phasesWith(state.phases, { ...progress, since, now });
  const elapsed = (now - since) / 1000;
  const attempting = progress.phase === 'attempt' && now - since >= settled;
  const rates = attempting ? { rollouts: progress.done / elapsed, tokens: progress.tokens / elapsed } : state.rates;
  return { ...state, phases, rates };
}

/** Share of the run that is done, 0…1, and the remaining seconds; null before an epoch has been timed. */
export const outlookOf = ({ run, experiment, epochSince, silences }: LiveState, now: number): Outlook =>
  outlook(run, experiment, { since: epochSince, now, silent: silences.length > 0 });

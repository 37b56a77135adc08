/**
 * α by a controller (`curriculum.control`), an epoch at a time from the journal alone. `gain` and `learnability` are kept
 * high by steps that turn where the measure fell; `success` is held at `curriculum.alpha`. Ours: docs/curricula.md.
 */
import type { Curriculum } from '../../shared/experiment/schema.ts';
import type { Control, Controlled } from '../../shared/journal/control.ts';
import { measureChange } from '../../shared/journal/measures.ts';
import type { RunState } from '../state.ts';
import { measuredOver } from './controlMeasures.ts';

type Settings = Pick<Curriculum, 'alpha' | 'control'>;
type Seen = Pick<RunState, 'open' | 'controlled' | 'scores' | 'summaries' | 'validations' | 'changes'>;

/** α of an epoch, and why; null without a controller. */
export function controlledAt({ alpha, control }: Settings, state: Seen, epoch: number): Controlled | null {
  const { kind } = control;
  if (kind === 'off') return null;
  const before = state.controlled;
  if (state.open !== null) return before;
  // A branch may have another measure than its parent.
  if (before?.measure !== kind) return { measure: kind, alpha, why: 'start', since: epoch, seen: null, direction: -1 };
  // By the epoch's number, as validations are: a window that a branch begins within is shorter.
  if ((epoch - 1) % control.every !== 0) return { ...before, why: 'window' };
  const window = { from: before.since, to: epoch - 1 };
  // A branch may use another judge than its parent: windows that two judges measured are not compared, whole or in part.
  const changed = measureChange('attempts', state.changes)?.epoch ?? 0;
  const measured = changed > window.from ? null : measuredOver(kind, state, window);
  const seen = measured === null ? null : { ...window, ...measured };
  const known = before.seen !== null && before.seen.from < changed ? { ...before, seen: null } : before;
  const { why, direction, ...chosen } = stepAfter({ alpha, control }, known, seen);
  return { measure: kind, ...chosen, why, since: epoch, seen, direction };
}

type Step = Pick<Controlled, 'alpha' | 'why' | 'direction'>;
type Known = Pick<Controlled, 'alpha' | 'seen' | 'direction'>;

/** The step after a window. @param seen its measure */
export function stepAfter({ alpha: home, control }: Settings, before: Known, seen: Control['seen']): Step {
  const { alpha, direction } = before;
  if (seen === null) return { alpha, why: 'unmeasured', direction };
  const moved = (way: 1 | -1, step = control.step): number => within(control, alpha + way * step);
  if (control.kind === 'success') {
    const off = seen.value - home;
    if (Math.abs(off) <= seen.error) return { alpha, why: 'held', direction };
    return off > 0
      ? { alpha: moved(-1), why: 'above', direction: -1 }
      : { alpha: moved(1), why: 'below', direction: 1 };
  }
  const why = verdict(before.seen, seen);
  if (why === 'better') return { alpha: moved(direction), why, direction };
  if (why === 'worse') return { alpha: moved(opposite(direction)), why, direction: opposite(direction) };
  const away = alpha - home;
  // A difference by chance leads back home, and from there to the other side.
  if (why === 'chance' && away !== 0) {
    const back = away > 0 ? -1 : 1;
    return { alpha: moved(back, Math.min(control.step, Math.abs(away))), why, direction: back };
  }
  const next = moved(direction);
  return next === alpha
    ? { alpha: moved(opposite(direction)), why, direction: opposite(direction) }
    : { alpha: next, why, direction };
}

/** Two windows differ where they lie further apart than both their standard errors. */
function verdict(before: Control['seen'], now: NonNullable<Control['seen']>): 'first' | 'better' | 'worse' | 'chance' {
  if (before === null) return 'first';
  const by = now.value - before.value;
  if (Math.abs(by) <= now.error + before.error) return 'chance';
  return by > 0 ? 'better' : 'worse';
}

const opposite = (way: 1 | -1): 1 | -1 => (way === 1 ? -1 : 1);

/** Within its bounds, without the dust of sums. */
const within = ({ low, high }: Curriculum['control'], alpha: number): number =>
  Math.round(Math.min(high, Math.max(low, alpha)) * 1e9) / 1e9;

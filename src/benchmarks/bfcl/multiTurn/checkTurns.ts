/** A whole conversation against the truth, turn by turn. */
import { PythonFault } from '../python/fault.ts';
import { equal, type Dict } from '../python/value.ts';
import { OfficialStop } from '../officialStop.ts';
import type { CalendarDay } from './api.ts';
import { Instances } from './instances.ts';
import type { LongContext } from './apis/longContext.ts';
import { surroundingsOn } from './surroundings.ts';

export interface Conversation {
  /** Tool → what its instances begin with. */
  config: Dict;
  involved: readonly string[];
  /** Calls of the truth, turn by turn. */
  truth: readonly (readonly string[])[];
  /** Calls of the model: turns of steps of calls. */
  model: readonly (readonly (readonly string[])[])[];
  today: CalendarDay;
  /** Null outside the long-context category. */
  longContext: LongContext | null;
}

/** Null when right, else the type of the error. @throws OfficialStop */
export function checkTurns({ config, involved, truth, model, today, longContext }: Conversation): string | null {
  if (model.length !== truth.length) return 'multi_turn:force_terminated';
  const surroundings = surroundingsOn(today, longContext);
  const begin = (side: string): Instances => stopped(() => new Instances(side, config, involved, surroundings));
  const [ours, theirs] = [begin('model'), begin('ground_truth')];
  const shown: string[] = [];
  for (const [at, expected] of truth.entries()) {
    const steps = (model[at] ?? []).filter((step) => step.length > 1 || (step[0] ?? '') !== '');
    for (const call of steps.flat()) shown.push(ours.execute(call));
    const wanted = expected.map((call) => theirs.execute(call));
    if (expected.length === 0) continue;
    if (steps.length === 0) return 'multi_turn:empty_turn_model_response';
    if (!stopped(() => sameState(ours, theirs))) return 'multi_turn:instance_state_mismatch';
    if (!includesAll(shown, wanted)) return 'multi_turn:execution_response_mismatch';
  }
  return null;
}

function sameState(ours: Instances, theirs: Instances): boolean {
  for (const [name, api] of theirs.apis) {
    const state = ours.apis.get(name)?.state() ?? {};
    for (const [attribute, value] of Object.entries(api.state())) {
      const own = state[attribute];
      if (own === undefined || !equal(own, value)) return false;
    }
  }
  return true;
}

/** As often as they are wanted, in any order. */
function includesAll(all: readonly string[], wanted: readonly string[]): boolean {
  const left = [...all];
  return wanted.every((one) => {
    const at = left.indexOf(one);
    if (at !== -1) left.splice(at, 1);
    return at !== -1;
  });
}

function stopped<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (error instanceof PythonFault) throw new OfficialStop(error.message);
    throw error;
  }
}

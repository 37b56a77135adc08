import type { OfflineScorer } from '../../offline/offlineScorer.ts';
import { readCase, type Case } from '../../offline/pythonCase.ts';
import type { BfclVerdict } from '../judge.ts';
import { stopped } from '../stopped.ts';
import type { CalendarDay } from './api.ts';
import { checkTurns } from './checkTurns.ts';
import { modelTurns, recordOf } from './turnCase.ts';

/** `genenv score bfcl-multi-turn`. @param today on which the ages of travellers are counted */
export function openBfclMultiTurn(today: CalendarDay): OfflineScorer {
  return { score: (line) => stopped(() => conversation(readCase(line), today)) };
}

/** `{id, record, model_turns}` → `{valid, error_type}`. */
function conversation(of: Case, today: CalendarDay): BfclVerdict {
  const record = recordOf(of);
  const errorType = checkTurns({ ...record, model: modelTurns(of), today });
  return { valid: errorType === null, error_type: errorType };
}

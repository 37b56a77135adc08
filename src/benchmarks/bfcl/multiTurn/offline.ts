import { CaseError, type OfflineScorer, type ScorerOptions } from '../../offline/offlineScorer.ts';
import { readCase, type Case } from '../../offline/pythonCase.ts';
import type { BfclVerdict } from '../judge.ts';
import { stopped } from '../stopped.ts';
import type { CalendarDay } from './api.ts';
import { checkTurns } from './checkTurns.ts';
import { readLongContext, type LongContext } from './apis/longContext.ts';
import { modelTurns, recordOf } from './turnCase.ts';

/** `genenv score bfcl-multi-turn`. @param today on which the ages of travellers are counted */
export async function openBfclMultiTurn(options: ScorerOptions, today: CalendarDay): Promise<OfflineScorer> {
  const folder = options.text('data');
  const longContext = folder === null ? null : await readLongContext(folder);
  return { score: (line) => stopped(() => conversation(readCase(line), today, longContext)) };
}

/** `{id, record, model_turns}` → `{valid, error_type}`. */
function conversation(of: Case, today: CalendarDay, read: LongContext | null): BfclVerdict {
  const { isLong, ...record } = recordOf(of);
  if (isLong && read === null) {
    throw new CaseError(
      'files',
      'record.id',
      'is of the category long_context: give --data DIR, the folder bfcl_eval/data',
    );
  }
  const longContext = isLong ? read : null;
  const errorType = checkTurns({ ...record, model: modelTurns(of), today, longContext });
  return { valid: errorType === null, error_type: errorType };
}

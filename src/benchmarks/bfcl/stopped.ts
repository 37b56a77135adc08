import { CaseError } from '../offline/offlineScorer.ts';
import { OfficialStop } from './officialStop.ts';

/** Where the official program stops there is no verdict, and the line says so. */
export function stopped<T>(score: () => T): T {
  try {
    return score();
  } catch (error) {
    if (error instanceof OfficialStop) throw new CaseError('form', '', error.message);
    throw error;
  }
}

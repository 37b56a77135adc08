import type { Trace } from '../../../shared/records/trace.ts';
import { mean } from '../../loop.ts';
import { answerTokens, hasCountedAnswer } from './traceTokens.ts';

/** Mean tokens of the answers that were counted; null without any. */
export const meanAnswer = (traces: readonly Trace[]): number | null =>
  mean(traces.filter(hasCountedAnswer).map(answerTokens));

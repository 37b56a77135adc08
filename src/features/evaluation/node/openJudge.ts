import * as l10n from '@vscode/l10n';
import { careful } from '../../../engine/carefulScorer.ts';
import type { Judge, Scorer } from '../../../engine/ports.ts';
import type { AgentTools } from '../../../launch/policies/newestAgent.ts';
import { AnswerJudge } from './answerJudge.ts';
import { EvaluationError } from './evaluationError.ts';
import { openChoice, type OpenChoice } from './openChoice.ts';
import type { EvaluationAsk } from './evaluationAsk.ts';

/** A model that judges an evaluation's answers. */
export interface OpenJudge extends Pick<OpenChoice, 'told' | 'close'> {
  judge: Judge;
}

/** Null where the rule alone judges. @throws EvaluationError `judge`, and the endpoint's own errors */
export async function openJudge(
  { adapter, judge, seed }: Pick<EvaluationAsk, 'adapter' | 'judge' | 'seed'>,
  tools: AgentTools,
  rules: Scorer,
): Promise<OpenJudge | null> {
  if (judge === undefined || judge === null) return null;
  if (adapter.scorer.kind !== 'bamboogle' && adapter.scorer.kind !== 'bamboogle-search') {
    const message = l10n.t(
      'A model does not judge {0}: its rule “{1}” has no prompt for one.',
      adapter.name,
      adapter.scorer.kind,
    );
    throw new EvaluationError('judge', message, l10n.t('Evaluate without --judge, or by the rule “bamboogle”.'));
  }
  const opened = await openChoice(judge, tools, { tasks: [], attempts: 1, scorer: rules });
  const { policy, version, told } = opened;
  const model = { policy, version, prompt: adapter.scorer.judge, seed, signal: tools.signal };
  return { judge: new AnswerJudge(model, careful(rules)), told, close: () => opened.close() };
}

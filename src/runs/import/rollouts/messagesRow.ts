import * as l10n from '@vscode/l10n';
import type { Row } from '../rows.ts';
import { goldIn, nameIn, numberIn, numbersOf, verdictIn } from './fields.ts';
import { messagesOf, toolsOf } from './messagesOf.ts';
import type { Rollout, Unfit } from './rollout.ts';

/**
 * A conversation in OpenAI's form: the messages before the first assistant turn are the prompt. A row may also have
 * task, answer, reward or score, success, step or epoch, model and finish_reason.
 */
export function messagesRollout(row: Row, written: Row): Rollout | Unfit {
  const all = messagesOf(row['messages']);
  if (all === null) return { field: 'messages', message: l10n.t('it is no list of messages') };
  const first = all.findIndex(({ role }) => role === 'assistant');
  if (first < 0) return { field: 'messages', message: l10n.t('there is no assistant turn') };
  if (first === 0) return { field: 'messages', message: l10n.t('there is nothing before the first assistant turn') };
  return {
    ...{ prompt: all.slice(0, first), messages: all.slice(first), tools: toolsOf(row['tools']), error: null },
    gold: goldIn(written, 'answer', 'gold', 'ground_truth', 'solution', 'target'),
    reward: numberIn(row, 'reward', 'score'),
    success: verdictIn(row, 'success', 'correct', 'passed', 'solved'),
    parts: numbersOf(row['metrics']),
    step: numberIn(row, 'step', 'epoch'),
    task: nameIn(row, 'task_id', 'prompt_id', 'example_id', 'task'),
    version: nameIn(row, 'model', 'version'),
    stopReason: row['finish_reason'] === 'length' ? 'length' : 'stop',
    tokens: null,
  };
}

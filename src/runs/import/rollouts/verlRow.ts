import * as l10n from '@vscode/l10n';
import type { Row } from '../rows.ts';
import { goldIn, numberIn, numbersOf, verdictIn } from './fields.ts';
import { turnsOf } from './messagesOf.ts';
import type { Rollout, Unfit } from './rollout.ts';

const own = ['input', 'output', 'gts', 'score', 'step', 'uid', 'request_id'];

/**
 * A line of a rollout or validation dump (`trainer.rollout_data_dir`): input and output as text, `gts`, `score`,
 * `step`, and further results of the reward function. Its `uid` changes at every step, so prompts identify tasks.
 */
export function verlRollout(row: Row, written: Row): Rollout | Unfit {
  const prompt = turnsOf(row['input'], 'user');
  if (prompt === null) return { field: 'input', message: l10n.t('there is no prompt') };
  const messages = turnsOf(row['output'], 'assistant');
  if (messages === null) return { field: 'output', message: l10n.t('there is no answer') };
  const reward = numberIn(row, 'score');
  if (reward === null) return { field: 'score', message: l10n.t('it is no number') };
  return {
    ...{ prompt, messages, tools: [], gold: goldIn(written, 'gts'), reward, error: null },
    success: verdictIn(row, 'acc', 'success'),
    parts: numbersOf(row, own),
    step: numberIn(row, 'step'),
    ...{ task: null, version: null, stopReason: 'stop', tokens: null },
  };
}

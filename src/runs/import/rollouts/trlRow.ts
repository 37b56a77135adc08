import * as l10n from '@vscode/l10n';
import type { Row } from '../rows.ts';
import { goldIn, nameIn, numberIn, numbersOf } from './fields.ts';
import { turnsOf } from './messagesOf.ts';
import type { Rollout, Unfit } from './rollout.ts';

const own = ['step', 'advantage', 'task_id', 'prompt_id', 'example_id'];

/**
 * A row of GRPO's completions table (`log_completions`): prompt and completion as text, a column a reward function.
 * Columns named like rewards are rewards and summed; without any, every number but step and advantage is.
 */
export function trlRollout(row: Row, written: Row): Rollout | Unfit {
  const prompt = turnsOf(row['prompt'], 'user');
  if (prompt === null) return { field: 'prompt', message: l10n.t('there is no prompt') };
  const messages = turnsOf(row['completion'], 'assistant');
  if (messages === null) return { field: 'completion', message: l10n.t('there is no answer') };
  const parts = numbersOf(row, own);
  const named = Object.entries(parts).filter(([name]) => /reward|score/i.test(name));
  const rewards = (named.length > 0 ? named : Object.entries(parts)).map(([, value]) => value);
  if (rewards.length === 0) return { field: 'reward', message: l10n.t('no column of a reward function was found') };
  return {
    ...{ prompt, messages, tools: [], error: null, parts },
    gold: goldIn(written, 'answer', 'solution', 'ground_truth', 'gold', 'target'),
    reward: rewards.reduce((sum, value) => sum + value, 0),
    success: null,
    step: numberIn(row, 'step'),
    task: nameIn(row, 'task_id', 'prompt_id', 'example_id'),
    ...{ version: null, stopReason: 'stop', tokens: null },
  };
}

import * as l10n from '@vscode/l10n';
import { isObject } from '../../../shared/experiment/resolve.ts';
import type { Row } from '../rows.ts';
import { goldIn, nameIn, numberIn, numbersOf } from './fields.ts';
import { toolsOf, turnsOf } from './messagesOf.ts';
import type { Rollout, Unfit } from './rollout.ts';

/** A line of `results.jsonl`: example_id, prompt, completion, answer, reward, metrics, error, is_truncated, tool_defs. */
export function verifiersRollout(row: Row, written: Row): Rollout | Unfit {
  const prompt = turnsOf(row['prompt'], 'user');
  if (prompt === null) return { field: 'prompt', message: l10n.t('there is no prompt') };
  const messages = turnsOf(row['completion'], 'assistant');
  const error = errorOf(row['error']);
  if (messages === null) return { field: 'completion', message: error ?? l10n.t('there is no answer') };
  const usage = row['token_usage'];
  return {
    ...{ prompt, messages, tools: toolsOf(row['tool_defs']), error },
    gold: goldIn(written, 'answer'),
    reward: numberIn(row, 'reward'),
    success: null,
    parts: numbersOf(row['metrics']),
    step: null,
    task: nameIn(row, 'example_id'),
    version: nameIn(row, 'model'),
    stopReason: row['is_truncated'] === true ? 'length' : 'stop',
    tokens: isObject(usage) ? numberIn(usage, 'output_tokens') : null,
  };
}

function errorOf(value: unknown): string | null {
  if (typeof value === 'string' && value !== '') return value;
  return isObject(value) ? nameIn(value, 'error_chain_str', 'error') : null;
}

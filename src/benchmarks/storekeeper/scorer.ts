import * as l10n from '@vscode/l10n';
import type { Scorer } from '../../engine/ports.ts';
import type { Verdict } from '../../shared/records/trace.ts';
import { defined } from '../../shared/defined.ts';
import { parseCalls, renderCall, type Call } from './calls.ts';
import { TaskFault } from '../taskFault.ts';
import { evaluationKind } from './task.ts';
import { turnWords } from './vocabulary.ts';
import type { ScorerRule } from '../scorerRule.ts';

/** Words of all assistant turns in order. */
function answerWords(messages: Parameters<Scorer['score']>[1]['messages']): string[] {
  return messages.filter(({ role }) => role === 'assistant').flatMap(({ content }) => turnWords(content));
}

function parsed(text: readonly string[]): { calls: Call[] } | { note: string } {
  if (text.length === 0) return { note: l10n.t('the answer is empty') };
  try {
    return { calls: parseCalls(text) };
  } catch (error) {
    if (error instanceof TaskFault) return { note: error.message };
    throw error;
  }
}

/**
 * Success is an exact match of the whole call sequence in a finished answer. Parts: `calls`, share of the calls that
 * are right in their place, over the longer of answer and gold; `format`, whether the answer is well-formed calls.
 */
export class StorekeeperScorer implements ScorerRule {
  readonly #reward: 'success' | 'calls';

  /** @param reward what learning sees: success as 0 or 1 (paper, Eq. 1, structured action), or the share of right calls */
  constructor(reward: 'success' | 'calls' = 'success') {
    this.#reward = reward;
  }

  fault(task: Parameters<Scorer['score']>[0]): string | null {
    if (task.evaluation.kind === evaluationKind && task.gold !== null) return null;
    return l10n.t(
      'the task asks for the rule "{0}"; this scorer needs "{1}" and a gold',
      task.evaluation.kind,
      evaluationKind,
    );
  }

  goldAnswer({ gold }: Parameters<Scorer['score']>[0]): string | null {
    return gold;
  }

  score(task: Parameters<Scorer['score']>[0], trace: Parameters<Scorer['score']>[1]): Verdict {
    const error = this.fault(task);
    if (error !== null || task.gold === null) {
      return { success: false, reward: 0, valid: false, error: error ?? l10n.t('the task has no gold') };
    }
    const answer = answerWords(trace.messages);
    const gold = parseCalls(turnWords(task.gold)).map(renderCall);
    const reading = parsed(answer);
    const calls = 'calls' in reading ? reading.calls.map(renderCall) : [];
    const right = gold.filter((call, i) => calls[i] === call).length;
    const finished = trace.stopReason !== 'length';
    const success = finished && answer.join(' ') === gold.join(' ');
    const share = right / Math.max(gold.length, calls.length);
    const note = !finished
      ? l10n.t('the answer was cut off')
      : 'note' in reading
        ? reading.note
        : success
          ? undefined
          : firstDifference(gold, calls);
    return {
      success,
      reward: this.#reward === 'success' ? Number(success) : share,
      parts: { calls: share, format: 'calls' in reading ? 1 : 0 },
      valid: finished && 'calls' in reading,
      ...defined({ note }),
    };
  }
}

function firstDifference(gold: readonly string[], calls: readonly string[]): string {
  const at = Array.from({ length: Math.max(gold.length, calls.length) }, (_, i) => i).find((i) => gold[i] !== calls[i]);
  const i = at ?? 0;
  return l10n.t('call {0}: expected {1}, got {2}', i + 1, gold[i] ?? l10n.t('the end'), calls[i] ?? l10n.t('the end'));
}

import * as l10n from '@vscode/l10n';
import { checkBody, type Body } from './body.ts';
import { renderCalls, type Call } from './calls.ts';
import { amountOf, type Expression } from './expression.ts';
import { TaskFault } from '../taskFault.ts';
import { Store, StoreUnderflow } from './store.ts';
import { conceptOf, maxNumber, ordinals, turnWords, type Concept, type FunctionName } from './vocabulary.ts';

/**
 * The value a step is called with.
 * @param previous value of the last step that had one; null when none had
 * @throws TaskFault `schema`: dangling `same`, or a result that has no word
 */
function evaluate(value: Expression, previous: number | null, where: string): number {
  const amount = amountOf(value, previous);
  if (amount === null) throw new TaskFault('schema', l10n.t('{0}: "same" has no earlier value to refer to', where));
  if (amount < 0 || amount > maxNumber) {
    throw new TaskFault('schema', l10n.t('{0}: the value {1} is outside 0 … {2}', where, amount, maxNumber));
  }
  return amount;
}

/**
 * The gold: the calls that carry out a request, found by carrying it out on a store.
 * @throws TaskFault `schema` for every rule of `checkBody` and `evaluate`, and for a step that takes more than is left
 */
export function execute(body: Body): Call[] {
  checkBody(body);
  const functionOf = new Map<Concept, FunctionName>(body.menu.map(({ concept, name }) => [concept, name]));
  const store = new Store();
  let previous: number | null = null;
  return body.steps.map((step, i) => {
    const where = l10n.t('step {0}', i + 1);
    const concept = conceptOf(step.verb);
    const name = functionOf.get(concept);
    const ordinal = ordinals[i];
    if (name === undefined)
      throw new TaskFault('schema', l10n.t('{0} needs {1}, which is not on the menu', where, concept));
    if (ordinal === undefined)
      throw new TaskFault('too-long', l10n.t('the request has more than {0} steps', ordinals.length));
    const value = step.value === null ? null : evaluate(step.value, previous, where);
    try {
      store.apply(concept, step.item, value);
    } catch (error) {
      if (error instanceof StoreUnderflow) throw new TaskFault('schema', `${where}: ${error.message}`);
      throw error;
    }
    if (value !== null) previous = value;
    return { ordinal, concept, name, item: step.item, value };
  });
}

/** @throws TaskFault of `execute`, or `gold` when the calls given are not what execution gives */
export function checkGold(body: Body, gold: string | null): void {
  const expected = renderCalls(execute(body));
  if (gold === null || gold.trim() === '') throw new TaskFault('gold', l10n.t('the task has no gold'));
  if (gold === expected) return;
  const [written, right] = [turnWords(gold), turnWords(expected)];
  const at = right.findIndex((word, i) => written[i] !== word);
  const i = at < 0 ? right.length : at;
  throw new TaskFault(
    'gold',
    l10n.t(
      'the gold says "{0}" at word {1}, execution gives "{2}"',
      written[i] ?? l10n.t('the end'),
      i + 1,
      right[i] ?? l10n.t('the end'),
    ),
  );
}

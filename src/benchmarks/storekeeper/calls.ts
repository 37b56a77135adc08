import * as l10n from '@vscode/l10n';
import { TaskFault } from '../taskFault.ts';
import {
  isConcept,
  isFunctionName,
  isItem,
  isOrdinal,
  numberOf,
  takesValue,
  type Concept,
  type FunctionName,
  type Item,
  type Ordinal,
} from './vocabulary.ts';

/** One tool call: `ordinal concept function item [value]`. */
export interface Call {
  ordinal: Ordinal;
  concept: Concept;
  name: FunctionName;
  item: Item;
  value: number | null;
}

export function renderCall(call: Call): string {
  const { ordinal, concept, name, item, value } = call;
  return [ordinal, concept, name, item, ...(value === null ? [] : [value])].join(' ');
}

export function renderCalls(calls: readonly Call[]): string {
  return calls.map(renderCall).join(' ');
}

/** Reads well-formed calls; whether they are the right ones is for the scorer. @throws TaskFault `unparseable` */
export function parseCalls(text: readonly string[]): Call[] {
  const calls: Call[] = [];
  let at = 0;
  const fault = (wanted: string) =>
    new TaskFault(
      'unparseable',
      l10n.t(
        'call {0}: expected {1}, found {2}',
        calls.length + 1,
        wanted,
        text[at] === undefined ? l10n.t('the end') : `"${text[at]}"`,
      ),
    );
  while (at < text.length) {
    const ordinal = text[at];
    if (!isOrdinal(ordinal)) throw fault(l10n.t('an ordinal'));
    const concept = text[++at];
    if (!isConcept(concept)) throw fault('a concept');
    const name = text[++at];
    if (!isFunctionName(name)) throw fault('a function');
    const item = text[++at];
    if (!isItem(item)) throw fault(l10n.t('an item'));
    at++;
    let value: number | null = null;
    if (takesValue(concept)) {
      const n = numberOf(text[at]);
      if (n === undefined) throw fault('a number');
      value = n;
      at++;
    }
    calls.push({ ordinal, concept, name, item, value });
  }
  return calls;
}

/** API-Bank as ToolRL scores it: one call, compared as Python compares. */
import * as l10n from '@vscode/l10n';
import { extractCalls, scoreCalls, type ToolAnswer } from '../apiBank/toolRl.ts';
import { jsonText, parseJson } from '../python/json.ts';
import type { PythonValue } from '../python/value.ts';
import { answerText, passed, Unfit, type Rule } from './rule.ts';

/** The gold is the call, or a list whose first call counts. Calls are read out of the text by ToolRL's own rule. */
export const toolRl: Rule<unknown, ToolAnswer> = {
  golden: true,
  readGold(gold) {
    const value = parsed(gold);
    const first = Array.isArray(value) ? value[0] : value;
    const [name, parameters] = first instanceof Map ? [first.get('name'), first.get('parameters')] : [];
    if (name === undefined || parameters === undefined)
      throw new Unfit(l10n.t('the gold is no call with name and parameters'));
    return { name, parameters };
  },
  /** On one line: a call that is laid out over several is not read. */
  spoken: ({ name, parameters }) =>
    `<tool_call>\n{"name":${jsonText(name)},"parameters":${jsonText(parameters)}}\n</tool_call>`,
  judge(answer, gold) {
    const calls = extractCalls(answerText(answer));
    return passed(scoreCalls(calls, gold) === 1, () =>
      calls.length === 0
        ? l10n.t('the answer holds no call')
        : l10n.t('no call is {0} with {1}', jsonText(gold.name), jsonText(gold.parameters)),
    );
  },
};

function parsed(text: string): PythonValue {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw new Unfit(l10n.t('the gold is not JSON ({0})', error.message));
    throw error;
  }
}

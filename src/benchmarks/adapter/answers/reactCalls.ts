/** Calls as ReAct prompts have them (Yao et al., 2023, in LangChain's form): `Action:` and `Action Input:`. */
import * as l10n from '@vscode/l10n';
import { isObject } from '../../../shared/experiment/resolve.ts';
import { parseExactly } from '../../../shared/json.ts';
import type { ToolCall } from './calls.ts';
import type { ParsedAnswer } from './parsedAnswer.ts';

const head = /^[ \t]*(Action(?: \d+)?|Action Input(?: \d+)?|Thought(?: \d+)?|Final Answer|Observation(?: \d+)?):/i;

interface Part {
  kind: 'action' | 'input' | 'other';
  text: string;
}

/**
 * Every action with the input that follows it, up to the first `Observation:`, which is not the agent's to write. An
 * input is a JSON object, fenced or not, or a text: the one argument `input`.
 */
export function reactCalls(text: string): ParsedAnswer {
  const parts = partsOf(text);
  const calls: ToolCall[] = [];
  for (const [i, { kind, text: name }] of parts.entries()) {
    if (kind === 'input' && parts[i - 1]?.kind !== 'action') return none(l10n.t('an Action Input has no Action'));
    if (kind !== 'action') continue;
    const input = parts[i + 1];
    if (input?.kind !== 'input') return none(l10n.t('the action {0} has no Action Input', name));
    const given = argumentsOf(input.text);
    if (given === null) return none(l10n.t('the input of {0} is not JSON', name));
    calls.push({ name, arguments: given });
  }
  return calls.length === 0 ? none(l10n.t('the answer has no Action')) : { ok: true, value: calls };
}

const none = (note: string): ParsedAnswer => ({ ok: false, note });

function partsOf(text: string): Part[] {
  const parts: Part[] = [];
  for (const line of text.split(/\r?\n/)) {
    const [mark = '', name = ''] = head.exec(line) ?? [];
    const word = name.toLowerCase();
    if (word.startsWith('observation')) break;
    const last = parts.at(-1);
    if (mark === '') {
      if (last !== undefined) last.text += `\n${line}`;
      continue;
    }
    const kind = word.startsWith('action input') ? 'input' : word.startsWith('action') ? 'action' : 'other';
    parts.push({ kind, text: line.slice(mark.length) });
  }
  return parts.map(({ kind, text: own }) => ({ kind, text: own.trim() }));
}

/** Null for what begins as JSON and is none. */
function argumentsOf(text: string): Record<string, unknown> | null {
  const bare = text.replace(/^```(?:json)?\s*|\s*```$/g, '');
  const value = parseExactly(bare);
  if (isObject(value)) return value;
  return /^[{[]/.test(bare) ? null : { input: typeof value === 'string' ? value : bare };
}

import * as l10n from '@vscode/l10n';
import { parseExactly } from '../../../shared/json.ts';
import { fencedBlocks } from './fencedBlocks.ts';
import type { ParsedAnswer } from './parsedAnswer.ts';

/** The last fenced block of a text that says it is JSON, or says nothing, as its value; without one the whole text. */
export function jsonAnswer(text: string): ParsedAnswer {
  const blocks = fencedBlocks(text, ['', 'json']);
  const value = parseExactly(blocks.at(-1) ?? text);
  if (value !== undefined) return { ok: true, value };
  return {
    ok: false,
    note: blocks.length > 0 ? l10n.t('the last fenced block is not JSON') : l10n.t('the answer is not JSON'),
  };
}

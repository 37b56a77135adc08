import * as l10n from '@vscode/l10n';
import type { ParsedAnswer } from './parsedAnswer.ts';

/**
 * The content of the last `\boxed{…}` of a text, braces matched, as the MATH data set marks final answers (Hendrycks et
 * al., 2021). An escaped brace is none.
 */
export function boxed(text: string): ParsedAnswer {
  const mark = '\\boxed{';
  const start = text.lastIndexOf(mark);
  if (start < 0) return { ok: false, note: l10n.t('the answer has no \\boxed{…}') };
  let depth = 1;
  for (let i = start + mark.length; i < text.length; i += 1) {
    const char = text.charAt(i);
    if (char === '\\') i += 1;
    else if (char === '{') depth += 1;
    else if (char === '}') depth -= 1;
    if (depth === 0) return { ok: true, value: text.slice(start + mark.length, i).trim() };
  }
  return { ok: false, note: l10n.t('nothing closes the last \\boxed{') };
}

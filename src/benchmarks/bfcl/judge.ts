/** Verdicts on single-turn records: a model's text or calls against the expected ones. */
import type { Call } from './call.ts';
import { check, type Checked } from './checker.ts';
import { decode, type Decoded } from './decoders/decode.ts';
import { Dict, type Value } from './python/value.ts';
import { jsonOf } from './toolCalls.ts';
import type { TreeSitter } from './decoders/treeSitter.ts';

/** Of a right answer the error type is null. */
export interface BfclVerdict {
  valid: boolean;
  error_type: string | null;
}

const verdict = (errorType: string | null): BfclVerdict => ({ valid: errorType === null, error_type: errorType });

/** Judges a model's text, in prompting mode. @throws OfficialStop */
export const judgeText = (text: string, checked: Checked, parser: () => TreeSitter): BfclVerdict =>
  judge(decode(text, checked.language, parser), checked);

/**
 * Calls that are decoded already: `[{name: {parameter: value}}]`. In function calling mode the parameters may be JSON text.
 * @throws OfficialStop
 */
export function judgeOutput(output: Value, checked: Checked): BfclVerdict {
  if (!Array.isArray(output)) return judge({ kind: 'none' }, checked);
  const calls: Call[] = [];
  for (const item of output) {
    const call = callOf(item, checked.underscored);
    if (call === undefined) return verdict('ast_decoder:decoder_failed');
    if (call === null) return judge({ kind: 'none' }, checked);
    calls.push(call);
  }
  return judge({ kind: 'calls', calls }, checked);
}

function judge(decoded: Decoded, checked: Checked): BfclVerdict {
  if (decoded.kind === 'fault') return verdict('ast_decoder:decoder_failed');
  if (decoded.kind === 'none') return verdict('ast_decoder:decoder_wrong_output_format');
  return verdict(check(decoded.calls, checked));
}

/** Null for what is no call; undefined for a call whose parameters are text that is no JSON. */
function callOf(item: Value, mayBeText: boolean): Call | null | undefined {
  const [name, ...more] = item instanceof Dict ? item.keys() : [];
  if (!(item instanceof Dict) || typeof name !== 'string' || more.length > 0) return null;
  const given = item.get(name);
  const parameters = mayBeText && typeof given === 'string' ? jsonOf(given) : given;
  if (parameters === undefined) return undefined;
  return parameters instanceof Dict ? { name, parameters } : null;
}

/** Whether a text rightly has, or has not, a call. Which call does not matter. */
export function judgeRelevance(text: string, category: string, parser: () => TreeSitter): BfclVerdict {
  const decoded = decode(text, 'python', parser);
  const hasCall = decoded.kind === 'calls' && decoded.calls.length > 0;
  if (category.includes('irrelevance')) return verdict(hasCall ? 'irrelevance_error:decoder_success' : null);
  return verdict(hasCall ? null : 'relevance_error:decoder_failed');
}

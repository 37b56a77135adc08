/** From a model's text to calls (prompting mode). */
import type { Call } from '../call.ts';
import { DecodeFault } from './decodeFault.ts';
import { decodeJava } from './decodeJava.ts';
import { decodeJavaScript } from './decodeJavaScript.ts';
import { decodePython } from './decodePython.ts';
import { plainCall } from './plainCall.ts';
import { PythonFault } from '../python/fault.ts';
import type { TreeSitter } from './treeSitter.ts';
import type { Language } from './language.ts';

/** Calls; `none` when the text was read and holds no call, which is no list; `fault` when it could not be read. */
export type Decoded = { kind: 'calls'; calls: Call[] } | { kind: 'none' } | { kind: 'fault'; message: string };

/** @param parser asked for with the first text in Java or JavaScript that is more than a plain call */
export function decode(text: string, language: Language, parser: () => TreeSitter): Decoded {
  try {
    const calls = read(bracketed(text), language, parser);
    return calls === null ? { kind: 'none' } : { kind: 'calls', calls };
  } catch (error) {
    if (!(error instanceof PythonFault || error instanceof DecodeFault || error instanceof RangeError)) throw error;
    return { kind: 'fault', message: error.message };
  }
}

function bracketed(text: string): string {
  const isFrame = (at: number): boolean => '`\n '.includes(text.charAt(at));
  let [start, end] = [0, text.length];
  while (start < end && isFrame(start)) start += 1;
  while (end > start && isFrame(end - 1)) end -= 1;
  const bare = text.slice(start, end);
  const opened = bare.startsWith('[') ? bare : `[${bare}`;
  return opened.endsWith(']') ? opened : `${opened}]`;
}

function read(text: string, language: Language, parser: () => TreeSitter): Call[] | null {
  if (language === 'python') return decodePython(text);
  const inner = text.slice(1, -1);
  if (!inner.isWellFormed()) throw new DecodeFault('half of a character');
  const call = plainCall(inner, language);
  if (call !== null) return [call];
  return language === 'java' ? decodeJava(inner, parser()) : decodeJavaScript(inner, parser());
}

/** Python's regular expressions in JavaScript's: its classes know all scripts, its dot every character but the newline. */
import { space, word } from '../python/text.ts';

/** A pattern in Python's syntax, with the flags `g` and `s` as JavaScript has them. */
export function pythonPattern(source: string, flags = ''): RegExp {
  const dot = flags.includes('s') ? '[^]' : '[^\\n]';
  const translated = source.replace(/\\.|\[[^\]]*\]|\.|\$/g, (part) => {
    if (part === '\\d') return '\\p{Nd}';
    if (part === '\\s') return `[${space}]`;
    if (part === '\\w') return `[${word}]`;
    if (part === '.') return dot;
    return part === '$' ? '(?=\\n?$)' : part;
  });
  return new RegExp(translated, `u${flags.replace('s', '')}`);
}

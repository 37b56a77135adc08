/** Python's regular expressions in JavaScript's: its classes know all scripts, its dot every character but the newline. */
import { space, word } from '../python/text.ts';

/**
 * A pattern in Python's syntax, with the flags `g` and `s` as JavaScript has them. It is made when it is first asked for: all
 * of them take longer than the rest of a short file of answers, most of which need none.
 */
export function pythonPattern(source: string, flags = ''): () => RegExp {
  let made: RegExp | null = null;
  return () => (made ??= translated(source, flags));
}

function translated(source: string, flags: string): RegExp {
  const dot = flags.includes('s') ? '[^]' : '[^\\n]';
  const pattern = source.replace(/\\.|\[[^\]]*\]|\.|\$/g, (part) => {
    if (part === '\\d') return '\\p{Nd}';
    if (part === '\\s') return `[${space}]`;
    if (part === '\\w') return `[${word}]`;
    if (part === '.') return dot;
    return part === '$' ? '(?=\\n?$)' : part;
  });
  return new RegExp(pattern, `u${flags.replace('s', '')}`);
}

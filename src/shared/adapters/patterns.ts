/** File patterns of an adapter: `*` within a name, `**` across folders, `?`, `{a,b}`. */

import { globOf } from './glob.ts';

/** Whether a path below the folder, with slashes, is one that the patterns mean; those with `!` leave out. */
export function matchesPatterns(path: string, patterns: readonly string[]): boolean {
  const out = patterns.filter((pattern) => pattern.startsWith('!')).map((pattern) => pattern.slice(1));
  return (
    patterns.some((pattern) => !pattern.startsWith('!') && matcherOf(pattern)(path)) &&
    !out.some((pattern) => matcherOf(pattern)(path))
  );
}

/** The fixed folder of all matches of a pattern: `games/train` of `games/train/trial_?/game.json`. */
export function fixedFolder(pattern: string): string {
  const parts = pattern.split('/').slice(0, -1);
  const first = parts.findIndex((part) => /[*?{]/.test(part));
  return (first < 0 ? parts : parts.slice(0, first)).join('/');
}

/** Whether matches may lie in folders below the fixed one. */
export const isDeep = (pattern: string): boolean => {
  const fixed = fixedFolder(pattern);
  return pattern.slice(fixed === '' ? 0 : fixed.length + 1).includes('/');
};

const matchers = new Map<string, (path: string) => boolean>();
/** Patterns are few, but each keystroke while typing one makes another. */
const most = 200;

function matcherOf(pattern: string): (path: string) => boolean {
  const known = matchers.get(pattern);
  if (known !== undefined) return known;
  if (matchers.size >= most) matchers.clear();
  const made = globOf(pattern);
  matchers.set(pattern, made);
  return made;
}

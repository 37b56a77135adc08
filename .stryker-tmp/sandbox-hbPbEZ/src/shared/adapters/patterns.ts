/** File patterns of an adapter: `*` within a name, `**` across folders, `?`, `{a,b}`. */

/** Whether a path below the folder, with slashes, is one that the patterns mean; those with `!` leave out. */
export function matchesPatterns(path: string, patterns: readonly string[]): boolean {
  const out = patterns.filter((pattern) => pattern.startsWith('!')).map((pattern) => pattern.slice(1));
  return (
    patterns.some((pattern) => !pattern.startsWith('!') && expressionOf(pattern).test(path)) &&
    !out.some((pattern) => expressionOf(pattern).test(path))
  );
}

/** The folder that every match of a pattern lies in: `games/train` of `games/train/trial_?/game.json`. */
export function fixedFolder(pattern: string): string {
  const parts = pattern.split('/').slice(0, -1);
  const first = parts.findIndex((part) => /[*?{]/.test(part));
  return (first < 0 ? parts : parts.slice(0, first)).join('/');
}

/** Whether a match may lie in folders below the fixed one. */
export const isDeep = (pattern: string): boolean => {
  const fixed = fixedFolder(pattern);
  return pattern.slice(fixed === '' ? 0 : fixed.length + 1).includes('/');
};

const expressions = new Map<string, RegExp>();

function expressionOf(pattern: string): RegExp {
  const known = expressions.get(pattern);
  if (known !== undefined) return known;
  const made = new RegExp(`^${translated(pattern)}$`, 'u');
  expressions.set(pattern, made);
  return made;
}

function translated(pattern: string): string {
  let depth = 0;
  const parts = pattern.matchAll(/\*\*\/|\*\*|[*?{},]|[^*?{},]+/gu);
  const text = Array.from(parts, ([part]) => {
    if (part === '**/') return '(?:[^/]+/)*';
    if (part === '**') return '.*';
    if (part === '*') return '[^/]*';
    if (part === '?') return '[^/]';
    if (part === '{') {
      depth += 1;
      return '(?:';
    }
    if (part === '}' && depth > 0) {
      depth -= 1;
      return ')';
    }
    return part === ',' && depth > 0 ? '|' : part.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&');
  }).join('');
  // A brace that is never closed is a letter like others.
  return depth === 0 ? text : pattern.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&');
}

/** As people write them: a parser would have to know three languages, and a lens may be missing where none is found. */
const declared = [
  /^export\s+(?:async\s+)?(?:function\s*\*?|const|let|var)\s+(\w+)/,
  /^(?:async\s+)?def\s+(\w+)\s*\(/,
  /^(?:module\.)?exports\.(\w+)\s*=/,
];

/** Lines, from 0, at which a file begins its functions, by their names; the first of each. */
export function declaredFunctions(text: string): Map<string, number> {
  const found = new Map<string, number>();
  for (const [line, content] of text.split('\n').entries()) {
    for (const pattern of declared) {
      const name = pattern.exec(content)?.[1];
      if (name !== undefined && !found.has(name)) found.set(name, line);
    }
  }
  return found;
}

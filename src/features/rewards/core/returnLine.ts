const declared = /\b(?:function|const|let|var|def)\s+reward\b|\bexports\.reward\b/;

/**
 * The line of a reward's file, from 0, where its verdict stands: that of its only `return`; where it has several, or none,
 * the one that declares the function, since the text does not tell which of them gave it.
 */
export function returnLine(text: string): number {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => declared.test(line));
  if (start === -1) return 0;
  const indent = indentOf(lines[start]);
  const after = lines.findIndex((line, index) => index > start && ends(line, indent));
  const returns: number[] = [];
  for (let index = start; index < (after === -1 ? lines.length : after); index++) {
    if (/\breturn\b/.test(withoutWords(lines[index] ?? ''))) returns.push(index);
  }
  const [only, ...more] = returns;
  return only === undefined || more.length > 0 ? start : only;
}

/** Neither blank nor deeper; the closing bracket of a list of parameters does not end it. */
const ends = (line: string, indent: number): boolean =>
  line.trim() !== '' && indentOf(line) <= indent && !/^\s*[)\]]/.test(line);

const indentOf = (line = ''): number => line.length - line.trimStart().length;

/** Without texts and comments. */
const withoutWords = (line: string): string =>
  line.replaceAll(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/g, '').replace(/\/\/.*|#.*|^\s*\*.*/, '');

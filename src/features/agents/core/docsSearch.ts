/** Passages of our own pages that answer a question: ranked by BM25 over their words and the words of their headings. */

export interface Passage {
  file: string;
  /** 1-based. */
  line: number;
  /** Headings above it, the page’s first. */
  headings: readonly string[];
  text: string;
}

const heading = /^(#{1,6})\s+(.*)$/;
const tableRule = /^\|[\s|:-]+\|$/;

/** Paragraphs, list items and rows of tables (each with its table’s heads); code stays together. */
export function passagesOf(file: string, markdown: string): Passage[] {
  const passages: Passage[] = [];
  const path: string[] = [];
  const lines = markdown.split('\n');
  let held: { line: number; text: string[] } | null = null;
  let fence = false;
  let heads: string | null = null;
  const flush = (): void => {
    if (held !== null) passages.push({ file, line: held.line, headings: [...path], text: held.text.join('\n') });
    held = null;
  };
  const add = (text: string, line: number): void => {
    if (held === null) held = { line, text: [text] };
    else held.text.push(text);
  };
  for (const [i, text] of lines.entries()) {
    const line = i + 1;
    if (/^\s*```/.test(text)) {
      fence = !fence;
      add(text, line);
      if (!fence) flush();
      continue;
    }
    const found = fence ? null : heading.exec(text);
    if (found !== null) {
      flush();
      path.splice((found[1]?.length ?? 1) - 1);
      path.push(found[2] ?? '');
      heads = null;
    } else if (fence) add(text, line);
    else if (text.startsWith('|')) {
      flush();
      if (tableRule.test(text)) continue;
      if (heads === null) heads = text;
      else passages.push({ file, line, headings: [...path], text: `${cells(heads)}\n${cells(text)}` });
    } else {
      heads = null;
      if (text.trim() === '') flush();
      else {
        if (/^\s*(?:[-*]|\d+\.)\s/.test(text)) flush();
        add(text, line);
      }
    }
  }
  flush();
  return passages;
}

/** Without the blanks that align its columns. */
const cells = (row: string): string => row.replaceAll(/ {2,}/g, ' ').trim();

/** Letters and digits of any language; what is asked in the plural finds the singular. */
const wordsOf = (text: string): string[] =>
  (
    text
      .toLowerCase()
      .normalize('NFKD')
      .match(/[\p{L}\p{N}_]+/gu) ?? []
  ).map((word) => (word.length > 3 && word.endsWith('s') ? word.slice(0, -1) : word));

/** Words that stand everywhere say nothing of what is asked. */
const common = new Set(
  wordsOf('a an and are as at be by do does for from how in is it of on or that the this to what when which why with'),
);

/** Robertson’s k₁ and b as they are usually set; a heading’s word counts twice. */
const [saturation, lengthShare, headingWeight] = [1.2, 0.75, 2];

/** The passages that fit best, best first; none where no word of the question stands in any. */
export function searchPassages(passages: readonly Passage[], question: string, limit: number): Passage[] {
  const wanted = [...new Set(wordsOf(question).filter((word) => !common.has(word)))];
  const counted = passages.map((passage) => {
    const counts = new Map<string, number>();
    const words = wordsOf(passage.text);
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    for (const word of wordsOf(passage.headings.join(' '))) counts.set(word, (counts.get(word) ?? 0) + headingWeight);
    return { passage, counts, length: words.length };
  });
  const mean = counted.reduce((sum, { length }) => sum + length, 0) / Math.max(1, counted.length);
  const rarity = new Map(
    wanted.map((word) => {
      const holding = counted.filter(({ counts }) => counts.has(word)).length;
      return [word, Math.log(1 + (counted.length - holding + 0.5) / (holding + 0.5))];
    }),
  );
  const scored = counted.map(({ passage, counts, length }) => {
    let score = 0;
    for (const word of wanted) {
      const times = counts.get(word) ?? 0;
      const norm = saturation * (1 - lengthShare + (lengthShare * length) / mean);
      score += ((rarity.get(word) ?? 0) * times * (saturation + 1)) / (times + norm);
    }
    return { passage, score };
  });
  return scored
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(({ passage }) => passage);
}

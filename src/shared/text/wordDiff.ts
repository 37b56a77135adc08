/** Two texts word by word: the words that an answer lacks of the gold, and its extra ones. Pure. */
import { outOfRange } from '../outOfRange.ts';

export interface DiffPart {
  kind: 'same' | 'missing' | 'extra';
  text: string;
}

/** Beyond this many words a side, everything between the common beginning and end is shown as replaced. */
const longest = 1500;

const wordsOf = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');

/** The answer against the gold: `missing` is in the gold alone, `extra` in the answer alone; runs of words are joined. */
export function wordDiff(gold: string, answer: string): DiffPart[] {
  const a = wordsOf(gold);
  const b = wordsOf(answer);
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const middleA = a.slice(start, a.length - end);
  const middleB = b.slice(start, b.length - end);
  const middle =
    middleA.length > longest || middleB.length > longest
      ? [...middleA.map(part('missing')), ...middleB.map(part('extra'))]
      : longestCommon(middleA, middleB);
  return joined([...a.slice(0, start).map(part('same')), ...middle, ...a.slice(a.length - end).map(part('same'))]);
}

const part =
  (kind: DiffPart['kind']) =>
  (text: string): DiffPart => ({ kind, text });

/** Longest common subsequence, by dynamic programming. */
function longestCommon(a: readonly string[], b: readonly string[]): DiffPart[] {
  const width = b.length + 1;
  const lengths = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const [down, right] = [lengths[(i + 1) * width + j] ?? outOfRange(), lengths[i * width + j + 1] ?? outOfRange()];
      lengths[i * width + j] =
        a[i] === b[j] ? (lengths[(i + 1) * width + j + 1] ?? outOfRange()) + 1 : Math.max(down, right);
    }
  }
  const parts: DiffPart[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const [wordA, wordB] = [a[i], b[j]];
    if (wordA !== undefined && wordA === wordB) {
      parts.push({ kind: 'same', text: wordA });
      i++;
      j++;
    } else if (
      wordA !== undefined &&
      (wordB === undefined ||
        (lengths[(i + 1) * width + j] ?? outOfRange()) >= (lengths[i * width + j + 1] ?? outOfRange()))
    ) {
      parts.push({ kind: 'missing', text: wordA });
      i++;
    } else if (wordB !== undefined) {
      parts.push({ kind: 'extra', text: wordB });
      j++;
    }
  }
  return parts;
}

function joined(parts: readonly DiffPart[]): DiffPart[] {
  const runs: DiffPart[] = [];
  for (const { kind, text } of parts) {
    const last = runs.at(-1);
    if (last?.kind === kind) last.text += ` ${text}`;
    else runs.push({ kind, text });
  }
  return runs;
}

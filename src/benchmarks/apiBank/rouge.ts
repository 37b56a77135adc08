/** ROUGE-L as API-Bank takes it for the quality of responses: of different words, over all pairs of sentences. */
import { splitWords } from '../python/text.ts';
import { roundHalfEven } from '../python/round.ts';
import { outOfRange } from '../../shared/outOfRange.ts';

/**
 * F of a response against its reference, four decimals. 0 where either is nothing but full stops, at which the official
 * program stops.
 */
export function rougeL(reference: string, hypothesis: string): number {
  const [wanted, given] = [sentences(reference), sentences(hypothesis)];
  const [wantedWords, givenWords] = [new Set(wanted.flat()), new Set(given.flat())];
  if (wantedWords.size === 0 || givenWords.size === 0) return 0;
  const shared = new Set(wanted.flatMap((one) => given.flatMap((other) => commonSubsequence(one, other))));
  const precision = shared.size / givenWords.size;
  const recall = shared.size / wantedWords.size;
  return roundHalfEven(2 * ((precision * recall) / (precision + recall + 1e-8)), 4);
}

/** Words of each sentence. One of white space alone has one word, the empty one: it is not dropped as an empty one is. */
const sentences = (text: string): string[][] =>
  text
    .split('.')
    .filter((piece) => piece !== '')
    .map((piece) => {
      const words = splitWords(piece);
      return words.length === 0 ? [''] : words;
    });

const [same, up, left] = [0, 1, 2];

/**
 * Words of a longest common subsequence; of several the one met by walking back from both ends: an equal word is taken, else
 * the reference's is dropped where that keeps a strictly longer match, else the other's.
 */
function commonSubsequence(reference: readonly string[], hypothesis: readonly string[]): string[] {
  const columns = hypothesis.length;
  /** Where the walk goes from each pair; its lengths are needed for one row at a time only. */
  const steps = new Uint8Array(reference.length * columns);
  let above = new Uint32Array(columns + 1);
  for (const [i, word] of reference.entries()) {
    const row = new Uint32Array(columns + 1);
    for (let j = 0; j < columns; j++) {
      const [over, before] = [above[j + 1] ?? outOfRange(), row[j] ?? outOfRange()];
      if (word === hypothesis[j]) {
        row[j + 1] = (above[j] ?? outOfRange()) + 1;
        steps[i * columns + j] = same;
      } else {
        row[j + 1] = Math.max(over, before);
        steps[i * columns + j] = over > before ? up : left;
      }
    }
    above = row;
  }
  return walkBack(reference, steps, columns);
}

function walkBack(reference: readonly string[], steps: Uint8Array, columns: number): string[] {
  const taken: string[] = [];
  let i = reference.length - 1;
  let j = columns - 1;
  while (i >= 0 && j >= 0) {
    const step = steps[i * columns + j];
    if (step === same) taken.push(reference[i] ?? '');
    if (step !== left) i -= 1;
    if (step !== up) j -= 1;
  }
  return taken;
}

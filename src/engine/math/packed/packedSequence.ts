/**
 * Sequences as they wait for the update: eight bytes a token as a list of numbers, four or two here, and none for what begins as
 * an earlier sequence of the attempt does (an agent whose history is written anew each turn has hundreds of them).
 */
import { outOfRange } from '../../../shared/outOfRange.ts';
import type { Sequence } from '../../../shared/records/trace.ts';

type Tokens = Uint16Array | Uint32Array;

interface Packed {
  /** Another's tokens, or its own. */
  base: Tokens;
  /** How many of them it begins with. */
  shared: number;
  rest: Tokens;
}

const packedOf = new WeakMap<Sequence, Packed>();

/** The same sequence to all who read it; its tokens are a new list each time. `before`: one packed earlier. */
export function packSequence(sequence: Sequence, before: Sequence | undefined): Sequence {
  if (packedOf.has(sequence)) return sequence;
  const { tokens, spans, logprobs } = sequence;
  const known = before === undefined ? undefined : packedOf.get(before)?.base;
  const common = known === undefined ? 0 : commonLength(known, tokens);
  // One that shares little is what later ones are held against.
  const shares = known !== undefined && common * 2 >= tokens.length;
  const own = tokensOf(shares ? tokens.slice(common) : tokens);
  const packed = shares
    ? { base: known, shared: common, rest: own }
    : { base: own, shared: own.length, rest: own.subarray(own.length) };
  const result: Sequence = {
    get tokens() {
      return joined(packed);
    },
    spans,
    logprobs,
  };
  packedOf.set(result, packed);
  return result;
}

/** All sequences of an attempt. */
export function packSequences(sequences: readonly Sequence[]): Sequence[] {
  const packed: Sequence[] = [];
  for (const sequence of sequences) packed.push(packSequence(sequence, packed.at(-1)));
  return packed;
}

/** Whether a prompt begins with the sequence's tokens: a plain loop, for prompts of a hundred thousand. */
export function beginsWith(prompt: readonly number[], sequence: Sequence): boolean {
  const packed = packedOf.get(sequence);
  if (packed === undefined) {
    const { tokens } = sequence;
    return tokens.length <= prompt.length && isAt(prompt, 0, tokens, tokens.length);
  }
  const { base, shared, rest } = packed;
  return (
    shared + rest.length <= prompt.length && isAt(prompt, 0, base, shared) && isAt(prompt, shared, rest, rest.length)
  );
}

/** A plain loop, here and below: spreading or `from` asks an iterator for each token, which takes ten times as long. */
function joined({ base, shared, rest }: Packed): number[] {
  const tokens = new Array<number>(shared + rest.length);
  for (let i = 0; i < shared; i++) tokens[i] = base[i] ?? outOfRange();
  for (let i = 0; i < rest.length; i++) tokens[shared + i] = rest[i] ?? outOfRange();
  return tokens;
}

function tokensOf(tokens: readonly number[]): Tokens {
  const { length } = tokens;
  const packed = tokens.every((token) => token < 1 << 16) ? new Uint16Array(length) : new Uint32Array(length);
  for (let i = 0; i < length; i++) packed[i] = tokens[i] ?? outOfRange();
  return packed;
}

function commonLength(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const most = Math.min(a.length, b.length);
  let i = 0;
  while (i < most && a[i] === b[i]) i++;
  return i;
}

/** Whether the first `count` of `part` stand in `whole` from `at` on. */
function isAt(whole: ArrayLike<number>, at: number, part: ArrayLike<number>, count: number): boolean {
  for (let i = 0; i < count; i++) if (part[i] !== whole[at + i]) return false;
  return true;
}

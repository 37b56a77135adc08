/** One way from a text that anybody may have written to values of ours. */
export interface Decoder {
  /** Texts that are right, or nearly. */
  seeds: readonly string[];
  /** Pieces of such texts, beside the common ones. */
  tokens?: readonly string[];
  /** @throws only errors that say why, and `Broken` where what was read does not come back */
  decode(input: string): unknown;
  /** Of a hundred inputs how many are tried: for what takes long. */
  share?: number;
}

/** Reading, writing and reading again gave another value. */
export class Broken extends Error {
  override readonly name = 'Broken';
}

/** Errors of ours have a reason; some of the oldest have a name of their own alone. */
const named = new Set(['ProtoError', 'MalformedAnswer', 'PythonFault', 'FrameFault']);

export function isOurs(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof Broken) return false;
  return named.has(error.constructor.name) || ('reason' in error && typeof error.reason === 'string');
}

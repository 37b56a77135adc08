/** Scoring cases that a file holds: one JSON object a line in, one verdict a line out (`genenv score`). */
import type * as z from 'zod';

/**
 * A case's verdict without its id, which the caller carries over. An object is written as JSON; the text of an object
 * is for what JSON.stringify would spoil: integers above 2^53, and 5.0, which is not 5 to everyone.
 */
export type Verdict = object | string;

export interface OfflineScorer {
  /**
   * Judges one case. It gets the line as it stands: a benchmark whose rules know kinds of numbers reads these itself,
   * the others are made with `fromJson`.
   * @throws CaseError when the line is no case of this benchmark
   */
  score(line: string): Verdict | Promise<Verdict>;
}

/** The command's options beside the cases: switches, and the texts of the options that take one. Paths are as typed. */
export interface ScorerOptions {
  has(option: string): boolean;
  /** Null when it was not given. */
  text(option: string): string | null;
}

/** Makes a benchmark's scorer ready, its files read. @throws OptionError, or what reading throws */
export type OpenScorer = (options: ScorerOptions) => OfflineScorer | Promise<OfflineScorer>;

export type CaseErrorReason = 'not-utf8' | 'not-json' | 'form' | 'files';

/** A line that is no case; the lines after it are scored all the same. */
export class CaseError extends Error {
  /** `not-utf8`: in another encoding. `form`: JSON of another form. `files`: the case names what the benchmark's folder does not have. */
  readonly reason: CaseErrorReason;
  /** Which field, as `a.0.b`; '' for the whole. */
  readonly field: string;

  constructor(reason: CaseErrorReason, field: string, message: string) {
    super(message);
    this.name = 'CaseError';
    this.reason = reason;
    this.field = field;
  }
}

/** Options that do not go together, or a file one of them names that cannot be had. Says what to give instead. */
export class OptionError extends Error {
  readonly reason = 'option';
  readonly remedy: string;

  constructor(message: string, remedy: string) {
    super(message);
    this.name = 'OptionError';
    this.remedy = remedy;
  }
}

/** A scorer of cases that are plain JSON. */
export function fromJson<T>(schema: z.ZodType<T>, score: (value: T) => object | Promise<object>): OfflineScorer {
  return {
    score: (line) => score(caseOf(schema, parse(line))),
  };
}

/** A parsed case as its schema has it. @throws CaseError `form` naming the first field that is wrong */
function caseOf<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = issue === undefined ? '' : issue.path.map(String).join('.');
  const what = issue === undefined ? 'not in the expected form' : issue.message.replace(/^Invalid input: /, '');
  throw new CaseError('form', field, what.charAt(0).toLowerCase() + what.slice(1));
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new CaseError('not-json', '', `this is not JSON (${error.message})`);
  }
}

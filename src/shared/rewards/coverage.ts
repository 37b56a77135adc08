/** The coverage of a reward function's call, as its process reports it, and its evaluation. */
import * as z from 'zod';

const countSchema = z.int().nonnegative();

/** V8’s blocks: UTF-16 offsets in the text as it ran, and how often each ran. The first of a function is all of it. */
const spanSchema = z.strictObject({ from: z.int().nonnegative(), to: z.int().nonnegative(), count: countSchema });

/** Coverage of one user file during one call, or while it was loaded. Parts that are not listed did not run. */
export const takenCoverageSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('spans'),
    /** Absolute. */
    file: z.string(),
    /** The executed text, types blanked out; null where it was sent before. */
    source: z.string().nullable(),
    functions: z.array(z.strictObject({ name: z.string(), spans: z.array(spanSchema) })),
  }),
  z.strictObject({
    kind: z.literal('lines'),
    file: z.string(),
    /** Line, from 1, and how often it ran; the first time those that did not, too. */
    lines: z.array(z.tuple([z.int().positive(), countSchema])),
    /** Name, line, and how often it was called. */
    functions: z.array(z.tuple([z.string(), z.int().positive(), countSchema])),
  }),
]);
export type TakenCoverage = z.infer<typeof takenCoverageSchema>;

/** A place, lines and columns from 1. */
export interface CoveredPlace {
  line: number;
  column: number;
}

/** One way on of several. */
interface CoveredBranch {
  /** The word that leads there: `if`, `else`, `case`, `?`, `&&` … */
  name: string;
  from: CoveredPlace;
  to: CoveredPlace;
  count: number;
}

/** A file as all calls together went through it, in the order of its text. */
export interface CoveredFile {
  /** Absolute. */
  file: string;
  /** To the end of its line where no end is given, as in Python, which reports no branches either. */
  statements: { from: CoveredPlace; to: CoveredPlace | null; count: number; branches: CoveredBranch[] }[];
  /** '' where a function has no name. */
  functions: { name: string; at: CoveredPlace; count: number }[];
}

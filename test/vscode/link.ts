/** Messages between the runner and the suite inside the extension host: a line of JSON each. */
import * as z from 'zod';

const countsSchema = z.object({
  /** Title of the test that ended last; '' before the first. */
  last: z.string(),
  passes: z.int(),
  failures: z.int(),
  /** A title and a stack for each test that failed. */
  failed: z.array(z.string()),
  /** Tests that passed, or failed again, on a second try: a title and why the first failed. */
  retried: z.array(z.string()),
  /** Skipped tests, with the reason. */
  skipped: z.array(z.object({ title: z.string(), reason: z.string() })),
});
export type Counts = z.infer<typeof countsSchema>;

export const optionsSchema = z.object({
  files: z.array(z.string()),
  timeout: z.number(),
  /** How often a failed test is tried again. */
  retries: z.int(),
  color: z.boolean().default(false),
  grep: z.string().optional(),
});
export type SuiteOptions = z.infer<typeof optionsSchema>;

/** From the suite. */
export const fromSuiteSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('line'), text: z.string() }),
  z.object({ kind: z.literal('call'), id: z.int(), action: z.string(), args: z.array(z.string()) }),
  z.object({ kind: z.literal('counts'), counts: countsSchema, hasEnded: z.boolean() }),
]);
export type FromSuite = z.infer<typeof fromSuiteSchema>;

/** The answer to a call. */
export const answerSchema = z.object({ id: z.int(), value: z.string().optional(), error: z.string().optional() });
export type Answer = z.infer<typeof answerSchema>;

/** Names of the environment by which the runner tells the suite. */
export const portVariable = 'GENENV_TEST_PORT';
export const optionsVariable = 'GENENV_TEST_OPTIONS';

/** The result of “program” in a domain file: how an attempt's program is started (docs/domains.md, Programs). */
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { firstIssue } from '../firstIssue.ts';

const programSchema = z.strictObject({
  /** A program and its words. Those that name a file beside the domain file become its path. */
  command: z.array(z.string().min(1).max(10_000)).min(1).max(1000),
  /** Variables in addition to the few defaults. */
  env: z.record(z.string().regex(/^[A-Za-z_]\w*$/), z.string()).default({}),
  /** Files and folders beside the domain file that it needs, beside those that its command names. */
  files: z.array(z.string().min(1)).default([]),
  /** Of its own: time spent waiting for the agent does not count. */
  seconds: z.number().positive().max(86_400).default(600),
  /** Of all its processes together. */
  megabytes: z.number().positive().default(2048),
  /**
   * The judge where the domain has no “judge”: the last line that states a reward, else the exit code; or one of the
   * two.
   */
  reward: z.enum(['either', 'line', 'exit']).default('either'),
});
export type ProgramSpec = z.infer<typeof programSchema>;

/** The program of an attempt, or why a value is none, as a clause. */
export function readProgram(value: unknown): { value: ProgramSpec } | { fault: string } {
  const read = programSchema.safeParse(value);
  if (read.success) return { value: read.data };
  const { field, message } = firstIssue(read.error);
  return {
    fault: l10n.t(
      '{0} ({1}); it must give { command: [program, …words], env?, files?, seconds?, megabytes?, reward? }',
      field === '' ? l10n.t('it gave something else') : l10n.t('“{0}” is not as expected', field),
      message,
    ),
  };
}

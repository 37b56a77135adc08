/** A domain file's export `openenv`: the OpenEnv server that plays its episodes (docs/domains.md). */
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { keyReferencePattern } from '../experiment/endpoints/keyField.ts';
import { firstIssue } from '../firstIssue.ts';

const address = z.string().refine((text) => /^https?:\/\/[^/?#@\s]+[^?#\s]*$/.test(text) && URL.canParse(text), {
  error: (): string => l10n.t('It must be an address like http://127.0.0.1:8000, without a user or a query.'),
});

const openenvSchema = z.strictObject({
  url: address,
  /** `${env:NAME}` or `${secret:NAME}`, sent as a bearer token. */
  key: z
    .string()
    .regex(keyReferencePattern, {
      error: (): string => l10n.t('It must be ${env:NAME} or ${secret:NAME}, never a key itself.'),
    })
    .nullable()
    .default(null),
  /** Most sessions at once; fewer where the server allows fewer. */
  sessions: z.int().min(1).max(4096).default(64),
  /** Most seconds that an answer may take. */
  seconds: z.number().positive().max(3600).default(60),
  /** Most megabytes that a message of the server may have. */
  megabytes: z.number().positive().max(100).default(4),
  /** Without `solved` and `judge`: an episode is solved when the last reward is at least this. */
  solvedAt: z.number().positive().default(1),
});
export type OpenenvSettings = z.infer<typeof openenvSchema>;

/** The settings, or a sentence that names the field. */
export function readOpenenv(value: unknown): { value: OpenenvSettings } | { fault: string } {
  const parsed = openenvSchema.safeParse(value);
  if (parsed.success) return { value: parsed.data };
  const { field, message } = firstIssue(parsed.error);
  return { fault: l10n.t('{0} is not as expected: {1}', field === '' ? '“openenv”' : `“openenv.${field}”`, message) };
}

import * as z from 'zod';
import { RemediedError } from '../reasonedError.ts';

/** The other side's failure, in a form that can be shown to a person. */
export const failureSchema = z.strictObject({
  /** The failure and its reason: full sentences. */
  message: z.string(),
  /** The remedy; '' when the message says it. */
  remedy: z.string(),
});
export type Failure = z.infer<typeof failureSchema>;

/**
 * Why a call did not come back with a result. `failed`: the handler threw; `invalid`: a message did not fit its schema;
 * `unknown`: it has no handler; `cancelled`; `closed`: the other side is gone.
 */
export class RpcError extends RemediedError<'failed' | 'invalid' | 'unknown' | 'cancelled' | 'closed'> {
  override readonly name = 'RpcError';

  constructor(reason: RpcError['reason'], message: string, options: { remedy?: string; cause?: unknown } = {}) {
    super(reason, message, options.remedy ?? '', options);
  }
}

/** An error as the other side gets it. */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof Error)) return { message: String(error), remedy: '' };
  // Its own message is a dump of all issues as JSON.
  const issue = error instanceof z.ZodError ? error.issues[0] : undefined;
  if (issue !== undefined) {
    const at = issue.path.length === 0 ? '' : ` at ${issue.path.join('.')}`;
    return { message: `Data has another form than expected${at}: ${issue.message}.`, remedy: '' };
  }
  const remedy = 'remedy' in error && typeof error.remedy === 'string' ? error.remedy : '';
  return { message: error.message, remedy };
}

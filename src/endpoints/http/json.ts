/** Answers that are JSON of a known form. */
import * as l10n from '@vscode/l10n';
import type * as z from 'zod';
import { parseSaid } from '../../shared/json.ts';
import { MalformedAnswer, type HttpAnswer, type HttpClient, type HttpRequest } from './httpClient.ts';

/**
 * Sends a request whose answer must have this form; what has not is asked for again a few times. Unknown fields are let
 * through or not as the schema says. @throws EndpointError `malformed` when it keeps coming wrong, and as `send` does
 */
export async function sendForJson<T>(
  client: HttpClient,
  request: HttpRequest,
  schema: z.ZodType<T>,
  signal?: AbortSignal,
): Promise<T> {
  let read: { value: T } | null = null;
  const check = (answer: HttpAnswer) => {
    request.check?.(answer);
    read = { value: jsonOf(answer, schema) };
  };
  await client.send({ ...request, check }, signal);
  return taken(read);
}

/** An answer's JSON as the schema says. @throws MalformedAnswer */
export const jsonOf = <T>(answer: HttpAnswer, schema: z.ZodType<T>): T => checked(parsed(answer), schema);

/** Parsed JSON of an answer as the schema says. @throws MalformedAnswer */
export function checked<T>(value: unknown, schema: z.ZodType<T>): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [first] = result.error.issues;
  const where = first === undefined || first.path.length === 0 ? '' : ` at ${first.path.join('.')}`;
  throw new MalformedAnswer(
    `${l10n.t('its JSON is not as expected')}${where}${first === undefined ? '' : `: ${first.message}`}`,
  );
}

function parsed({ body, headers }: HttpAnswer): unknown {
  const value = parseSaid(body.toString('utf8'));
  if (value !== undefined) return value;
  const html = headers['content-type']?.includes('html') === true || /^\s*<(!doctype|html)/i.test(String(body));
  throw new MalformedAnswer(html ? l10n.t('an HTML page instead of JSON') : l10n.t('no whole JSON'));
}

function taken<T>(read: { value: T } | null): T {
  if (read === null) throw new Error('Unreachable: an accepted answer was checked.');
  return read.value;
}

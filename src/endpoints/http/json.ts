/** Answers that are JSON of a known form. */
import * as l10n from '@vscode/l10n';
import type * as z from 'zod';
import { parseSaid } from '../../shared/json.ts';
import { bodyText } from './bodyText.ts';
import { isPage } from './failure.ts';
import { MalformedAnswer, type HttpAnswer, type HttpClient, type HttpRequest, type Unreadable } from './httpClient.ts';
import { excerpt } from './words.ts';

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

/** Parsed JSON of an answer as the schema says. @param then the consequence of another form @throws MalformedAnswer */
export function checked<T>(value: unknown, schema: z.ZodType<T>, then: (value: unknown) => Unreadable = () => ({})): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [first] = result.error.issues;
  throw new MalformedAnswer(
    `${l10n.t('its JSON is not as expected')}${first === undefined ? '' : placeOf(first, value)}`,
    then(value),
  );
}

/** The field, its fault and its value as it came: the beginning of a long answer may not show it. */
function placeOf({ path, message }: z.core.$ZodIssue, value: unknown): string {
  if (path.length === 0) return `: ${message}`;
  const field = path.reduce<unknown>(
    (inside, name) => (inside instanceof Object ? Reflect.get(inside, name) : undefined),
    value,
  );
  const came = field === undefined ? '' : ` (${excerpt(Buffer.from(JSON.stringify(field)), 80)})`;
  return ` at ${path.join('.')}: ${message}${came}`;
}

function parsed(answer: HttpAnswer): unknown {
  const html = answer.headers['content-type']?.includes('html') === true || isPage(answer.body);
  // Pages come in many encodings.
  const value = parseSaid(html ? String(answer.body) : bodyText(answer));
  if (value === undefined)
    throw new MalformedAnswer(html ? l10n.t('an HTML page instead of JSON') : l10n.t('no whole JSON'));
  return value;
}

function taken<T>(read: { value: T } | null): T {
  if (read === null) throw new Error('Unreachable: an accepted answer was checked.');
  return read.value;
}

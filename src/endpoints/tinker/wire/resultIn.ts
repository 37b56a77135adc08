/** Results that come as JSON or as protobuf, whichever the server gave. */
import * as l10n from '@vscode/l10n';
import type * as z from 'zod';
import { MalformedAnswer, type HttpAnswer } from '../../http/httpClient.ts';
import { jsonOf } from '../../http/json.ts';
import { ProtoError } from './protoBytes.ts';

export const isJson = ({ headers }: HttpAnswer): boolean => !(headers['content-type'] ?? '').includes('protobuf');

/** @throws MalformedAnswer for what is neither */
export function resultIn<J, T>(
  answer: HttpAnswer,
  { json, of, decode }: { json: z.ZodType<J>; of: (json: J) => T; decode: (bytes: Uint8Array) => T },
): T {
  if (isJson(answer)) return of(jsonOf(answer, json));
  try {
    return decode(answer.body);
  } catch (error) {
    if (!(error instanceof ProtoError)) throw error;
    throw new MalformedAnswer(l10n.t('no whole protobuf: {0}', error.message), { cause: error });
  }
}

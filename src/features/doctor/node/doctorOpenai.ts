/** The doctor's own connections to an OpenAI-compatible server, beside the policy's. */
import { examineChatServer } from './checks/chatServer.ts';
import type { DoctorLine } from '../../../endpoints/doctorLine.ts';
import { addressesOf } from '../../../endpoints/openai/address.ts';
import { probe } from '../../../endpoints/openai/probe.ts';
import type { OpenaiEndpoint } from '../../../shared/experiment/endpoints/endpoint.ts';
import { openaiConnection } from '../../../launch/policies/openaiClient.ts';
import { openTokens } from '../../../launch/policies/openTokens.ts';
import type { ChatSubject } from './checks/chatSubject.ts';
import type { DoctorOptions } from './doctorOptions.ts';

/** Replicas serve the same: the first speaks for all. */
export async function* examineOpenai(
  { url, key, model, tokenizer }: OpenaiEndpoint,
  said: Pick<ChatSubject, 'prompt' | 'example'>,
  { dist, keys, signal, time }: DoctorOptions,
): AsyncGenerator<DoctorLine> {
  const [address] = addressesOf(url);
  const connection = openaiConnection(address, key, keys, time === undefined ? {} : { time });
  try {
    const tokens = tokenizer === null ? null : await openTokens(tokenizer, { keys, dist });
    // Its findings were reported when the policy was opened.
    const quiet = { info: () => undefined, warn: () => undefined };
    const facts = await probe([connection], model, tokens, quiet, signal);
    yield* examineChatServer({ ...said, facts, connection, tokens, signal });
  } finally {
    connection.http.close();
  }
}

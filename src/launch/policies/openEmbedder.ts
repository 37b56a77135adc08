/** The embedding server that an experiment names, for the diversity of written tasks. */
import { addressesOf } from '../../endpoints/openai/address.ts';
import { EmbeddingServer } from '../../endpoints/openai/embeddings/embeddingServer.ts';
import type { Silences } from '../../endpoints/http/silences.ts';
import type { Time } from '../../endpoints/time.ts';
import type { Log } from '../../engine/ports.ts';
import { defined } from '../../shared/defined.ts';
import type { Experiment } from '../../shared/experiment/schema.ts';
import type { Keys } from '../access/keys.ts';
import { openaiConnection } from './openaiClient.ts';

/** Milliseconds: an epoch waits for it, and a model that computes vectors is fast. */
const timeout = { answer: 60_000, whole: 120_000 };

/** Contacts nothing yet. @param tries for each request; as often as a run does when absent. @returns null where none is named */
export function openEmbedder(
  { generation }: Pick<Experiment, 'generation'>,
  { keys, log, time, tries, silences }: { keys: Keys; log: Log; time?: Time; tries?: number; silences?: Silences },
): EmbeddingServer | null {
  const { embeddingUrl, embeddingModel, embeddingKey } = generation;
  if (embeddingUrl === null || embeddingModel === null) return null;
  const [address] = addressesOf(embeddingUrl);
  const connection = openaiConnection(address, embeddingKey, keys, {
    ...{ timeout, ...defined({ time, silences }) },
    onTrouble: ({ request, attempt, what, delay }) =>
      log.info(`${embeddingUrl}: ${request}: ${what} (attempt ${attempt}, again in ${Math.round(delay)} ms)`),
  });
  return new EmbeddingServer(connection, embeddingModel, tries);
}

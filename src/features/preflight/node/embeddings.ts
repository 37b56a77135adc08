/** Whether the embedding server that an experiment names gives vectors: two texts are tried. A run continues without them. */
import * as l10n from '@vscode/l10n';
import { EndpointError } from '../../../endpoints/endpointError.ts';
import type { Log } from '../../../engine/ports.ts';
import { KeyError, type Keys } from '../../../launch/access/keys.ts';
import { openEmbedder } from '../../../launch/policies/openEmbedder.ts';
import type { Experiment } from '../../../shared/experiment/schema.ts';
import { whyIrrelevant } from '../../../shared/experiment/relevance.ts';
import type { Finding } from '../contract.ts';
import { messageOf } from '../../../shared/messageOf.ts';
import { count } from '../../../shared/text/figures/numbers.ts';

interface Tried {
  /** A sentence where it gives vectors. */
  words: string[];
  findings: Pick<Finding, 'severity' | 'message' | 'remedy' | 'field'>[];
}

/** Both empty where none is named. @throws the signal's reason */
export async function embeddingServer(
  experiment: Experiment,
  { keys, log, signal }: { keys: Keys; log: Log; signal: AbortSignal },
): Promise<Tried> {
  const url = 'generation.embeddingUrl';
  if (whyIrrelevant(url, experiment) !== null) return { words: [], findings: [] };
  const embedder = openEmbedder(experiment, { keys, log, tries: 1 });
  if (embedder === null) return { words: [], findings: [] };
  try {
    const [vector] = await embedder.embed(['A baker sells bread.', 'A ship sails at noon.'], signal);
    const words = l10n.t('Embeddings by “{0}”: vectors of {1} numbers.', embedder.model, count(vector?.length ?? 0));
    return { words: [words], findings: [] };
  } catch (error) {
    if (signal.aborted) throw error;
    const told = KeyError.is(error) || EndpointError.is(error) ? error.remedy : '';
    const all = messageOf(error);
    const message = l10n.t(
      'Embeddings: {0}',
      all.endsWith(told) ? all.slice(0, all.length - told.length).trimEnd() : all,
    );
    const remedy = `${told} ${l10n.t('Until then the run measures diversity by words alone.')}`.trimStart();
    return { words: [], findings: [{ severity: 'warning', message, remedy, field: fieldOf(error) }] };
  } finally {
    embedder.close();
  }
}

function fieldOf(error: unknown): string {
  const named = 'generation.embedding';
  if (KeyError.is(error) || EndpointError.is(error, 'credentials')) return `${named}Key`;
  return EndpointError.is(error, 'refused') || EndpointError.is(error, 'malformed') ? `${named}Model` : `${named}Url`;
}

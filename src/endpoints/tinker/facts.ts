/** A Tinker server's description of itself: asked without a session, so that anyone may look. */
import type { HttpClient } from '../http/httpClient.ts';
import { sendForJson } from '../http/json.ts';
import type { TrainingSemantics } from './trainingSemantics.ts';
import { capabilitiesSchema } from './wire/replies.ts';
import { defined } from '../../shared/defined.ts';

export interface ServerFacts {
  models: readonly string[];
  /** Context of a model, in tokens; null when the server does not say. */
  contextOf: (model: string) => number | null;
  /** Tokens of the longest sequence of a model that it can score; null when it does not say the context. */
  longestOf: (model: string) => number | null;
  deterministic: boolean;
  /** How its training calls behave; null when it does not say. */
  training: TrainingSemantics | null;
  /** Where a model's tokenizer is; by its own name on the hub when the server does not say. */
  tokenizerOf: (model: string) => string;
}

/** @param tries how often at most; absent: as patiently as every other request. @throws EndpointError */
export async function readFacts(http: HttpClient, signal: AbortSignal, tries?: number): Promise<ServerFacts> {
  const { supported_models: models, genenv } = await sendForJson(
    http,
    { method: 'GET', path: '/api/v1/get_server_capabilities', ...defined({ tries }) },
    capabilitiesSchema,
    signal,
  );
  const find = (model: string) => models.find(({ model_name: name }) => name === model);
  const contextOf = (model: string) => find(model)?.max_context_length ?? null;
  // To score is to sample a token after it (§9.3), which must fit too; `genenv serve` leaves it out where it does not.
  const spare = genenv == null ? 1 : 0;
  return {
    models: models.flatMap(({ model_name: name }) => name ?? []),
    contextOf,
    longestOf: (model) => {
      const context = contextOf(model);
      return context === null ? null : context - spare;
    },
    deterministic: genenv?.deterministic ?? false,
    training: genenv?.training ?? null,
    tokenizerOf: (model) => find(model)?.tokenizer_id ?? model,
  };
}

/** A new training model on a server (§4), in the ledger before anything relies on it. */
import type { HttpAnswer } from '../http/httpClient.ts';
import { jsonOf } from '../http/json.ts';
import type { Connection } from './connection.ts';
import type { TrainingSemantics } from './trainingSemantics.ts';
import { TrainedModel } from './trainedModel.ts';
import { modelSchema } from './wire/replies.ts';

export interface ModelOrder {
  baseModel: string;
  rank: number;
  /** Agent or environment. */
  role: string;
  /** Weights and optimiser state to continue from; null: those of the base model. */
  load: string | null;
  /** The ledger's name for its beginning. */
  from: string;
  semantics?: Pick<TrainingSemantics, 'reduction'>;
}

/** @throws EndpointError; where it is `refused` the server may have no room for another model */
export async function makeModel(
  connection: Connection,
  { baseModel, rank, role, load, from, semantics }: ModelOrder,
  signal: AbortSignal,
): Promise<TrainedModel> {
  const session = await connection.session(signal);
  const body = {
    ...{ session_id: session, model_seq_id: connection.ledger.modelsOf(session), base_model: baseModel },
    user_metadata: { role },
    lora_config: { rank, seed: 0, train_unembed: true, train_mlp: true, train_attn: true },
    type: 'create_model',
  };
  const read = (answer: HttpAnswer) => jsonOf(answer, modelSchema);
  const { model_id: id } = await connection.submit('/api/v1/create_model', () => ({ body }), read, signal).result;
  const model = new TrainedModel(connection, id, 0, signal, semantics);
  if (load !== null) await model.load(load);
  await connection.ledger.add({ type: 'model', session, id, from, seq: model.seq });
  return model;
}

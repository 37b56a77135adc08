/** Saving and loading (protocol §7). */
import { jsonBody, type Call } from '../http/call.ts';
import { Refusal } from '../http/refusal.ts';
import { ok, type Reply } from '../http/reply.ts';
import type { Route } from '../http/router.ts';
import { jsonOnly } from '../state/futures.ts';
import { SaveNames } from '../state/saveNames.ts';
import { parsedPath, type Service } from '../state/service.ts';
import { loadWeightsSchema, saveForSamplerSchema, saveWeightsSchema, weightsInfoSchema } from '../wire/requests.ts';
import { beginModel, modelKey } from './models.ts';
import { numbered, submitOrdered } from './ordered.ts';
import { keysOf, promiseOf } from './promises.ts';
import { openSampling } from './sampling.ts';

export function weightsRoutes(service: Service): Route[] {
  const { archive, sessions, futures } = service;
  const names = service.differences.includes('names-once') ? new SaveNames(archive) : null;

  const save = (call: Call): Reply => {
    const body = jsonBody(call, saveWeightsSchema);
    const { model_id: run, seq_id, path: name } = body;
    if (name === null || name === undefined) throw new Refusal(422, 'path is needed: the name of the checkpoint.');
    names?.take({ run, kind: 'weights', name });
    return submitOrdered(service, call, { modelId: run, seqId: seq_id ?? null, body }, async (model) => {
      const options = { ttlSeconds: body.ttl_seconds ?? null, overwrite: body.overwrite ?? false };
      const path = await archive.save({ run, kind: 'weights', name }, await model.export(true), options);
      return jsonOnly({ type: 'save_weights', path });
    });
  };

  const saveForSampler = (call: Call): Reply => {
    const body = jsonBody(call, saveForSamplerSchema);
    const { model_id: run, seq_id, path: name, sampling_session_seq_id: number } = body;
    if (name === null && number === null) throw new Refusal(422, 'path or sampling_session_seq_id is needed.');
    if (name !== null && name !== undefined) names?.take({ run, kind: 'sampler_weights', name });
    return submitOrdered(service, call, { modelId: run, seqId: seq_id ?? null, body }, async (model) => {
      const weights = await model.export(false);
      if (name !== null && name !== undefined) {
        const options = { ttlSeconds: body.ttl_seconds ?? null, overwrite: body.overwrite ?? false };
        const path = await archive.save({ run, kind: 'sampler_weights', name }, weights, options);
        return jsonOnly({ type: 'save_weights_for_sampler', path });
      }
      const id = service.newId();
      await archive.saveEphemeral(run, id, weights);
      const frozen = { key: id, load: () => archive.loadEphemeral(run, id) };
      const session = sessions.find(model.facts.sessionId);
      openSampling(service, session, number ?? 0, { base: model.base, weights: frozen, path: null }, id);
      return jsonOnly({ type: 'save_weights_for_sampler', path: null, sampling_session_id: id });
    });
  };

  const load = (call: Call): Reply => {
    const body = jsonBody(call, loadWeightsSchema);
    const { path, optimizer } = body;
    if ('model_id' in body) {
      const { model_id: modelId, seq_id } = body;
      const late = (): Refusal =>
        new Refusal(
          400,
          `LoadWeights is not permitted with seq_id ${seq_id ?? 'none'}: only as a model's first request.`,
        );
      if ((seq_id ?? 1) !== 1) throw late();
      return submitOrdered(service, call, { modelId, seqId: seq_id ?? null, body }, async (model) => {
        if (!model.fresh) throw late();
        const { base, parsed } = service.savedWeights(path);
        if (base !== model.base)
          throw new Refusal(400, `${path} is a checkpoint of ${base.id}, not of ${model.base.id}.`);
        model.load(await archive.load(parsed), optimizer);
        return jsonOnly({ type: 'load_weights', path });
      });
    }
    const session = sessions.find(body.session_id);
    const { base, parsed } = service.savedWeights(path);
    return promiseOf(
      futures.submit(keysOf(call, modelKey(session.id, body.model_seq_id)), body, () => {
        const facts = { lora: archive.run(parsed.run).lora, userMetadata: body.user_metadata ?? null };
        const model = beginModel(service, session, body.model_seq_id, base, facts);
        const run = async () => {
          const checkpoint = await archive.load(parsed);
          model.load(checkpoint, optimizer);
          return jsonOnly({ type: 'load_weights', path, model_id: model.facts.id });
        };
        return { run: () => model.sequencer.run(null, run), extras: { model_id: model.facts.id } };
      }),
    );
  };

  return [
    { method: 'POST', path: '/api/v1/save_weights', dialect: 'tinker', answer: numbered(service, save) },
    {
      method: 'POST',
      path: '/api/v1/save_weights_for_sampler',
      dialect: 'tinker',
      answer: numbered(service, saveForSampler),
    },
    { method: 'POST', path: '/api/v1/load_weights', dialect: 'tinker', answer: numbered(service, load) },
    {
      ...{ method: 'POST', path: '/api/v1/weights_info', dialect: 'tinker' },
      answer: (call) => {
        const path = parsedPath(jsonBody(call, weightsInfoSchema).tinker_path);
        names?.refuseUnfinished(path);
        archive.find(path);
        const { baseModel, lora } = archive.run(path.run);
        return ok({
          ...{ base_model: baseModel, is_lora: true, lora_rank: lora.rank },
          ...{ train_unembed: lora.trainUnembed, train_mlp: lora.trainMlp, train_attn: lora.trainAttn },
        });
      },
    },
  ];
}

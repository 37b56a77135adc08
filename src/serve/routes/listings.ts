/** Training runs and checkpoints, as lists and one by one (protocol §13). */
import { jsonBody, page, type Call } from '../http/call.ts';
import { Refusal } from '../http/refusal.ts';
import { ok, type Reply } from '../http/reply.ts';
import type { Route } from '../http/router.ts';
import type { Checkpoint, TrainingRun } from '../state/archive.ts';
import { isKind, tinkerPath, type TinkerPath } from '../state/ids.ts';
import type { Service } from '../state/service.ts';
import { expiresSchema } from '../wire/requests.ts';

const one = '/api/v1/training_runs/*/checkpoints/*/*';

export function listingRoutes({ archive, sessions }: Service): Route[] {
  const runJson = (run: TrainingRun): unknown => {
    const checkpoints = archive.checkpoints(run);
    const last = (kind: Checkpoint['kind']): unknown => {
      const found = checkpoints.findLast((checkpoint) => checkpoint.kind === kind);
      return found === undefined ? null : checkpointJson(run, found);
    };
    return {
      training_run_id: run.id,
      base_model: run.baseModel,
      model_owner: 'genenv',
      ...{ is_lora: true, lora_rank: run.lora.rank, corrupted: false },
      last_request_time: sessions.loaded(run.id)?.lastRequest ?? checkpoints.at(-1)?.time ?? run.created,
      ...{ last_checkpoint: last('weights'), last_sampler_checkpoint: last('sampler_weights') },
      user_metadata: run.userMetadata,
    };
  };
  const all = (): unknown[] =>
    archive.runs.flatMap((run) => archive.checkpoints(run).map((checkpoint) => checkpointJson(run, checkpoint)));

  return [
    {
      ...{ method: 'GET', path: '/api/v1/training_runs', dialect: 'tinker' },
      answer: (call) => ok(paged(call, 'training_runs', archive.runs.map(runJson))),
    },
    {
      ...{ method: 'GET', path: '/api/v1/training_runs/*', dialect: 'tinker' },
      answer: ({ parameters: [id = ''] }) => ok(runJson(archive.run(id))),
    },
    {
      ...{ method: 'GET', path: '/api/v1/training_runs/*/checkpoints', dialect: 'tinker' },
      answer: ({ parameters: [id = ''] }) => {
        const run = archive.run(id);
        return ok({ checkpoints: archive.checkpoints(run).map((checkpoint) => checkpointJson(run, checkpoint)) });
      },
    },
    {
      ...{ method: 'GET', path: '/api/v1/checkpoints', dialect: 'tinker' },
      answer: (call) => ok(paged(call, 'checkpoints', all())),
    },
    {
      ...{ method: 'DELETE', path: one, dialect: 'tinker' },
      answer: async (call) => {
        await archive.remove(pathOf(call));
        return { kind: 'empty', status: 204 };
      },
    },
    {
      ...{ method: 'PUT', path: `${one}/ttl`, dialect: 'tinker' },
      answer: async (call) => {
        await archive.expire(pathOf(call), jsonBody(call, expiresSchema).ttl_seconds);
        return { kind: 'empty', status: 204 };
      },
    },
    ...(['POST', 'DELETE'] as const).map((method): Route => ({
      ...{ method, path: `${one}/publish`, dialect: 'tinker' },
      answer: () => refuse('This server has one user: its checkpoints cannot be made public.'),
    })),
    {
      ...{ method: 'GET', path: `${one}/archive`, dialect: 'tinker' },
      answer: (call) => {
        archive.find(pathOf(call));
        return refuse('These weights are no adapter that another program could load. They lie in the state folder.');
      },
    },
  ];
}

function refuse(why: string): Reply {
  // A 5xx would be tried again, by some clients without end.
  throw new Refusal(400, why, { headers: { 'x-should-retry': 'false' } });
}

/** @throws Refusal 404 for a kind that there is not */
function pathOf({ parameters: [run = '', kind = '', name = ''] }: Call): TinkerPath {
  if (!isKind(kind)) throw new Refusal(404, `There are no checkpoints of kind ${kind}.`);
  return { run, kind, name };
}

function paged(call: Call, name: string, entries: readonly unknown[]): unknown {
  const { limit, offset } = page(call);
  return { [name]: entries.slice(offset, offset + limit), cursor: { offset, limit, total_count: entries.length } };
}

const checkpointJson = ({ id }: TrainingRun, { kind, name, time, expires, bytes }: Checkpoint): unknown => ({
  checkpoint_id: `${kind}/${name}`,
  checkpoint_type: kind === 'weights' ? 'training' : 'sampler',
  ...{ time, tinker_path: tinkerPath({ run: id, kind, name }), size_bytes: bytes, public: false, expires_at: expires },
});

/**
 * A save that its server has already: the answer to it was lost, or a process ended before it wrote the address down.
 * SkyRL looks at the name before it looks whether a request is repeated, and answers 409 for good (§15).
 */
import { EndpointError } from '../endpointError.ts';
import type { Connection } from './connection.ts';
import { checkpointsSchema } from './wire/replies.ts';

export type SaveCall = 'save_weights' | 'save_weights_for_sampler';

/** The statuses that tell of a checkpoint by its name: there, still being written, not there or broken. */
const told = [302, 307, 400, 404, 405, 410, 422, 425, 500, 501];
/** Milliseconds between two looks at a save that is being written, and how often it is looked at: half an hour. */
const looks = { pause: 5000, most: 360 };

/** The address of a model's save by its name; null where the server has none that is whole. @throws EndpointError */
export async function savedBefore(
  connection: Connection,
  { model, call, name }: { model: string; call: SaveCall; name: string },
  signal: AbortSignal,
): Promise<string | null> {
  const kind = call === 'save_weights' ? 'weights' : 'sampler_weights';
  const run = `/api/v1/training_runs/${model}/checkpoints`;
  // The addresses that SkyRL answers 425 at while it writes: one for each kind.
  const request =
    kind === 'weights'
      ? {
          method: 'POST' as const,
          path: '/api/v1/weights_info',
          body: { tinker_path: `tinker://${model}/weights/${name}` },
        }
      : { method: 'GET' as const, path: `${run}/${name}/archive` };
  for (let look = 1; ; look++) {
    // Asked for first: what is written between the two is then in the list.
    const { status } = await connection.http.send({ ...request, accept: told, tries: 3 }, signal);
    const { checkpoints } = await connection.ask({ method: 'GET', path: run }, checkpointsSchema, signal);
    const found = checkpoints.find(({ tinker_path }) => tinker_path.endsWith(`/${kind}/${name}`));
    if (found !== undefined) return found.tinker_path;
    if (status !== 425 || look === looks.most) return null;
    await connection.wait(looks.pause, signal);
  }
}

/** The server has another request under this number, or another save under this name. */
export const isConflict = (error: unknown): error is EndpointError =>
  EndpointError.is(error, 'refused') && error.status === 409;

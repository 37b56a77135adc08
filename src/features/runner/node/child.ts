/** The process of one run, or of a study: reports its state to its runner, which sends its keys. */
import type { Clock, Log } from '../../../engine/ports.ts';
import type { RunStore } from '../../../runs/store/runStore.ts';
import { parseOrUndefined } from '../../../shared/json.ts';
import { childHearsSchema, restSchema, type ChildSays, type Landed } from '../contract.ts';
import { restVariable, studyVariable } from './childRun.ts';
import type { GrantedKeys } from './grants.ts';

interface ChildNeeds {
  store: RunStore;
  run: string;
  dist: URL;
  clock: Clock;
  log: Log;
  keys: GrantedKeys;
}

/** @returns the last message to the runner; nothing keeps the process alive then */
export async function executeChild(needs: ChildNeeds): Promise<Landed> {
  await keysCame(needs.keys);
  const channel = {
    // The runner may be gone: the run then ends by itself.
    send: (said: ChildSays) => {
      if (process.connected) process.send?.(said, undefined, undefined, () => undefined);
    },
    on: (event: string, listener: (message: unknown) => void) => {
      process.on(event, listener);
    },
  };
  const study = process.env[studyVariable];
  const landed =
    study === undefined
      ? await (await import('./work.ts')).work({ ...needs, channel, rest: restGiven(process.env[restVariable]) })
      : await (await import('./workStudy.ts')).workStudy({ ...needs, channel }, study);
  if (landed.why !== '') needs.log.warn(`${needs.run}: ${landed.why}`);
  if (process.connected) process.disconnect();
  return landed;
}

const restGiven = (text: string | undefined) => (text === undefined ? null : restSchema.parse(parseOrUndefined(text)));

/** Also when its runner has ended. */
function keysCame(keys: GrantedKeys): Promise<void> {
  return new Promise((resolve) => {
    const hear = (message: unknown): void => {
      const heard = childHearsSchema.safeParse(message).data;
      if (heard?.type !== 'keys') return;
      keys.give(heard.grants);
      process.off('message', hear);
      resolve();
    };
    process.on('message', hear);
    process.once('disconnect', resolve);
  });
}

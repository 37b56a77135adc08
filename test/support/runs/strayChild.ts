/** A run of its own process in which something fails that nothing waits for, once its tasks are written. */
import { argv } from 'node:process';
import { resolveExperiment } from '../../../src/shared/experiment/resolve.ts';
import { launchHere } from '../launchHere.ts';
import { tiny } from '../tiny.ts';

const [, , root = '', how = ''] = argv;
const notes: string[] = [];
const broken = new Error('The pipe broke.');
/** By name: as the run's own, or as of something that was there before it. */
const failures: Record<string, () => void> = {
  rejection: () => void Promise.reject(broken),
  exception: () => {
    setImmediate(() => {
      throw broken;
    });
  },
  foreign: () => before.resolve(null),
};
const before = Promise.withResolvers<null>();
void before.promise.then(() => {
  throw broken;
});
const landing = await launchHere(
  { root, notes },
  { experiment: resolveExperiment({ version: 1, mode: 'coevolve', ...tiny }), directory: root },
  {
    onEvent: ({ type }) => {
      if (type === 'tasks.generated') failures[how]?.();
    },
  },
);
console.log(JSON.stringify({ id: landing.id, state: landing.state, error: landing.error?.message, notes }));

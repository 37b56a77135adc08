/** A run of its own process, to be killed: started or resumed, it says each event it has written. */
import { launch } from '../../../src/launch/launch.ts';
import { environmentKeys } from '../../../src/launch/access/keys.ts';
import { RunStore } from '../../../src/runs/store/runStore.ts';
import { resolveExperiment } from '../../../src/shared/experiment/resolve.ts';
import * as z from 'zod';
import { FastTime } from '../endpoints/fastTime.ts';

const { root, dist, speed, experiment, resume } = z
  .object({
    root: z.string(),
    dist: z.string(),
    speed: z.number(),
    experiment: z.record(z.string(), z.unknown()),
    resume: z.string().nullable(),
  })
  .parse(JSON.parse(process.argv[2] ?? '{}'));
const clock = { now: () => Date.now() };
const log = { info: () => undefined, warn: () => undefined };
const landing = await launch({
  store: new RunStore(root, { clock, log, version: 'test' }),
  start: resume === null ? { experiment: resolveExperiment(experiment), directory: root } : { resume },
  dist: new URL(dist),
  clock,
  time: new FastTime(speed),
  log,
  keys: environmentKeys({}),
  signal: new AbortController().signal,
  onProgress: ({ phase, epoch, done }) => console.log(`${phase} ${epoch} ${done}`),
  onEvent: ({ type }) => console.log(`event ${type}`),
});
console.log(`landed ${landing.state} ${landing.error?.stack ?? ''}`);

/** `s.study.json` of a folder, executed by the built models in this process. */
import { join } from 'node:path';
import { openStudy } from '../../../src/features/study/node/openStudy.ts';
import { runStudy, type RunStudy, type StudyLanding } from '../../../src/features/study/node/runStudy.ts';
import { RunStore } from '../../../src/runs/store/runStore.ts';
import { dist } from '../built.ts';

const keys: RunStudy['keys'] = { find: () => Promise.reject(new Error('no key')), reach: () => Promise.resolve() };

export async function executeStudy(dir: string, more: Pick<RunStudy, 'onFinished'> = {}): Promise<StudyLanding> {
  const log = { info: () => undefined, warn: () => undefined };
  const clock = { now: () => Date.now() };
  const store = new RunStore(join(dir, 'runs'), { clock, log, version: 'test' });
  const study = await openStudy(dir, 's.study.json');
  const { signal } = new AbortController();
  return runStudy({ study, store, dist, clock, log, keys, parallel: 1, signal, ...more });
}

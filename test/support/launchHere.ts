/** Launches a run in this process, its notes kept, for tests that reach into it. */
import { launch, type Landing, type Launch } from '../../src/launch/launch.ts';
import { environmentKeys } from '../../src/launch/access/keys.ts';
import type { FileOperations } from '../../src/runs/files/fileOperations.ts';
import { RunStore } from '../../src/runs/store/runStore.ts';
import { fromSources } from './fromSources.ts';

/** The options that a test may override. */
export type LaunchOptions = Partial<Launch> & { disk?: FileOperations };

interface Here {
  root: string;
  /** Everything that was logged goes here. */
  notes: string[];
}

export function launchHere({ root, notes }: Here, start: Launch['start'], options: LaunchOptions): Promise<Landing> {
  const clock = { now: () => Date.now() };
  const log = { info: (note: string) => notes.push(note), warn: (note: string) => notes.push(note) };
  const { disk: files, ...others } = options;
  return launch({
    store: new RunStore(root, { clock, log, version: 'test', ...(files === undefined ? {} : { files }) }),
    start,
    dist: fromSources,
    clock,
    log,
    keys: environmentKeys({}),
    signal: new AbortController().signal,
    ...others,
  });
}

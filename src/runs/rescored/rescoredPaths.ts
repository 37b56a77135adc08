import { join } from 'node:path';
import type { RecordPaths } from '../records/recordLog.ts';
import type { RunPaths } from '../store/runPaths.ts';

/** The files of one rescoring. */
export interface RescoredPaths extends RecordPaths {
  dir: string;
  /** The reward file that judged, with everything that it imports by a relative path. */
  reward: string;
}

export function rescoredPaths({ rescored, index }: Pick<RunPaths, 'rescored' | 'index'>, id: string): RescoredPaths {
  const dir = join(rescored, id);
  return {
    dir,
    records: join(dir, 'verdicts.jsonl'),
    index: join(index, `rescored-${id}.bin`),
    reward: join(dir, 'reward'),
  };
}

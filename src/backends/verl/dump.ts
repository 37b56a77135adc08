/** Attempts as a job's rollout dumps tell them (verl-ray.md §5): `<step>.jsonl`, one attempt a line. */
import * as z from 'zod';
import type { JobAttempt } from '../../engine/ports.ts';
import { parseOrUndefined } from '../../shared/json.ts';
import type { JobFiles } from './jobFiles.ts';
import { linesOf } from './jsonLines.ts';
import { groundTruthSchema } from './rows.ts';

const attemptSchema = z.object({
  output: z.string(),
  /** The row's ground truth. */
  gts: z.string(),
  score: z.number(),
  /** From our reward file; −1 where nothing counted them. */
  tokens: z.number().optional(),
  cut: z.number().optional(),
});

const stepOf = (name: string): number | null => {
  const [, step] = /^(\d+)\.jsonl$/.exec(name) ?? [];
  return step === undefined ? null : Number(step);
};

/**
 * At most `group` attempts of each task, in the order in which they were made. A job that fills its last batch up makes
 * more than that; one that leaves rows out makes fewer.
 */
export async function readAttempts(files: JobFiles, folder: string, group: number): Promise<JobAttempt[]> {
  const names = (await files.list(folder)).filter((name) => stepOf(name) !== null);
  names.sort((a, b) => (stepOf(a) ?? 0) - (stepOf(b) ?? 0));
  const counts = new Map<string, number>();
  const attempts: JobAttempt[] = [];
  for (const name of names) {
    const text = (await files.read(`${folder}/${name}`))?.toString() ?? '';
    for (const { output, gts, score, tokens, cut } of linesOf(text, attemptSchema)) {
      const task = groundTruthSchema.safeParse(parseOrUndefined(gts)).data?.task;
      const index = task === undefined ? group : (counts.get(task) ?? 0);
      if (task === undefined || index >= group) continue;
      counts.set(task, index + 1);
      attempts.push({
        ...{ task, index, text: output, reward: score, stopReason: cut === 1 ? 'length' : 'stop' },
        tokens: tokens === undefined || tokens < 0 ? null : tokens,
      });
    }
  }
  return attempts;
}

/** Attempts as a job's rollout dumps tell them (verl-ray.md §5): `<step>.jsonl`, one attempt a line. */
import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { JobAttempt } from '../../engine/ports.ts';
import { parseSaid } from '../../shared/json.ts';
import { apart } from '../../shared/text/thoughts.ts';
import type { JobFiles } from './files/jobFiles.ts';
import type { Place } from './files/jobSettings.ts';
import { linesOf } from './files/jsonLines.ts';
import { groundTruthSchema } from './files/rows.ts';

const attemptSchema = z.object({
  output: z.string(),
  /** The row's ground truth. */
  gts: z.string(),
  score: z.number(),
});

/** Our reward file's note of an answer, by the digest of its text. */
const countSchema = z.object({ text: z.string(), tokens: z.int().nonnegative(), cut: z.literal([0, 1]) });
type Count = z.infer<typeof countSchema>;

const stepOf = (name: string): number | null => {
  const [, step] = /^(\d+)\.jsonl$/.exec(name) ?? [];
  return step === undefined ? null : Number(step);
};

/**
 * At most `group` attempts of each task, in the order in which they were made. A job that fills its last batch up makes
 * more than that; one that leaves rows out makes fewer.
 */
export async function readAttempts(
  files: JobFiles,
  { rollouts: folder, counted }: Pick<Place, 'rollouts' | 'counted'>,
  group: number,
): Promise<JobAttempt[]> {
  const known = await readCounts(files, counted);
  const names = (await files.list(folder)).filter((name) => stepOf(name) !== null);
  names.sort((a, b) => (stepOf(a) ?? 0) - (stepOf(b) ?? 0));
  const counts = new Map<string, number>();
  const attempts: JobAttempt[] = [];
  for (const name of names) {
    const text = (await files.read(`${folder}/${name}`))?.toString() ?? '';
    for (const { output, gts, score } of linesOf(text, attemptSchema)) {
      const task = groundTruthSchema.safeParse(parseSaid(gts)).data?.task;
      const index = task === undefined ? group : (counts.get(task) ?? 0);
      if (task === undefined || index >= group) continue;
      counts.set(task, index + 1);
      const count = known.get(digestOf(output));
      attempts.push({
        ...{ task, index, ...apart(output, null), reward: score },
        ...{ tokens: count?.tokens ?? null, stopReason: count?.cut === 1 ? 'length' : 'stop' },
      });
    }
  }
  return attempts;
}

async function readCounts(files: JobFiles, folder: string): Promise<Map<string, Count>> {
  const counts = new Map<string, Count>();
  for (const name of await files.list(folder)) {
    const text = (await files.read(`${folder}/${name}`))?.toString() ?? '';
    for (const count of linesOf(text, countSchema)) counts.set(count.text, count);
  }
  return counts;
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Attempts as a job's rollout dumps tell them (verl-ray.md §5): `<step>.jsonl`, one attempt a line. */
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import type { JobAttempt } from '../../engine/ports.ts';
import { parseSaid } from '../../shared/json.ts';
import { utf8Text } from '../../shared/text/utf8.ts';
import { apart } from '../../shared/text/thoughts.ts';
import { EndpointError } from '../endpointError.ts';
import type { JobFiles } from './files/jobFiles.ts';
import type { Place } from './files/jobSettings.ts';
import { linesOf } from './files/jsonLines.ts';
import { groundTruthSchema } from './files/rows.ts';
import { sha256 } from '../sha256.ts';

const attemptSchema = z.object({
  output: z.string(),
  /** The row's ground truth. */
  gts: z.string(),
  score: z.number(),
});

/** Our reward file's note of an answer, by the digest of its text. */
const countSchema = z.object({ text: z.string(), tokens: z.int().nonnegative(), cut: z.literal([0, 1]) });
type Count = z.infer<typeof countSchema>;

/** Its note of a task's prompt. */
const promptSchema = z.object({ task: z.string(), prompt: z.int().nonnegative() });

const stepOf = (name: string): number | null => {
  const [, step] = /^(\d+)\.jsonl$/.exec(name) ?? [];
  return step === undefined ? null : Number(step);
};

/**
 * At most `group` attempts of each task, in the order in which they were made. A job that fills its last batch up makes
 * more than that; one that leaves rows out makes fewer. @param endpoint for errors @throws EndpointError `malformed` for
 * answers in another encoding than UTF-8
 */
export async function readAttempts(
  files: JobFiles,
  { rollouts: folder, counted }: Pick<Place, 'rollouts' | 'counted'>,
  group: number,
  endpoint: string,
): Promise<JobAttempt[]> {
  const known = await readCounts(files, counted);
  const names = (await files.list(folder)).filter((name) => stepOf(name) !== null);
  names.sort((a, b) => (stepOf(a) ?? 0) - (stepOf(b) ?? 0));
  const counts = new Map<string, number>();
  const attempts: JobAttempt[] = [];
  for (const name of names) {
    const text = textOf((await files.read(`${folder}/${name}`)) ?? Buffer.alloc(0), `${folder}/${name}`, endpoint);
    for (const { output, gts, score } of linesOf(text, attemptSchema)) {
      const task = groundTruthSchema.safeParse(parseSaid(gts)).data?.task;
      const index = task === undefined ? group : (counts.get(task) ?? 0);
      if (task === undefined || index >= group) continue;
      counts.set(task, index + 1);
      const count = known.answers.get(sha256(output));
      attempts.push({
        ...{ task, index, ...apart(output, null), reward: score },
        ...{
          promptTokens: known.prompts.get(task) ?? null,
          tokens: count?.tokens ?? null,
          stopReason: count?.cut === 1 ? 'length' : 'stop',
        },
      });
    }
  }
  return attempts;
}

/** @param bytes whose last line may be torn, also within a letter */
function textOf(bytes: Buffer, file: string, endpoint: string): string {
  const end = bytes.lastIndexOf('\n') + 1;
  const whole = utf8Text(bytes.subarray(0, end), ({ line, message }) => {
    const request = l10n.t('attempts of the job');
    const remedy = l10n.t('Have Python write UTF-8 where the jobs run (PYTHONUTF8=1), then resume the run.');
    const told = l10n.t('{0} cannot be read: {1}', `${file}:${line}`, message);
    return new EndpointError('malformed', told, { endpoint, request, attempts: 1, remedy });
  });
  return whole + bytes.toString('utf8', end);
}

async function readCounts(
  files: JobFiles,
  folder: string,
): Promise<{ answers: Map<string, Count>; prompts: Map<string, number> }> {
  const [answers, prompts] = [new Map<string, Count>(), new Map<string, number>()];
  for (const name of await files.list(folder)) {
    const text = (await files.read(`${folder}/${name}`))?.toString() ?? '';
    for (const count of linesOf(text, countSchema)) answers.set(count.text, count);
    for (const { task, prompt } of linesOf(text, promptSchema)) prompts.set(task, prompt);
  }
  return { answers, prompts };
}

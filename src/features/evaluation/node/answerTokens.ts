/** Tokens of an evaluation's answers: `tokens.jsonl`, read one answer at a time. */
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { appendSharedLine } from '../../../runs/files/sharedLines.ts';
import { readError } from '../../../runs/files/fileErrors.ts';
import { answerTokensSchema, evaluationVersion } from '../../../shared/records/evaluation.ts';
import type { Sequence, Trace } from '../../../shared/records/trace.ts';
import { parseOrUndefined } from '../../../shared/json.ts';
import { codeOf } from '../../../shared/systemError.ts';

const fileIn = (folder: string): string => join(folder, 'tokens.jsonl');
const beginning = (id: string): string => JSON.stringify({ v: evaluationVersion, id }).slice(0, -1);

/** Nothing where the server told none. @throws RunError `disk-full`, `unwritable` */
export async function appendTokens(folder: string, { id, sequences }: Pick<Trace, 'id' | 'sequences'>): Promise<void> {
  if (sequences.every(({ tokens }) => tokens.length === 0)) return;
  await appendSharedLine(fileIn(folder), { v: evaluationVersion, id, sequences });
}

/** Of the answer that counts, which a killed evaluation may have asked for twice; null where none are kept. @throws RunError `unreadable` */
export async function readTokens(folder: string, id: string): Promise<readonly Sequence[] | null> {
  const path = fileIn(folder);
  const start = `${beginning(id)},`;
  let found: readonly Sequence[] | null = null;
  try {
    for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
      if (!line.startsWith(start)) continue;
      found = answerTokensSchema.safeParse(parseOrUndefined(line)).data?.sequences ?? found;
    }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw readError(error, path);
  }
  return found;
}

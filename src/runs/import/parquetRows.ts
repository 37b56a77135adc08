/** Rows of a parquet file, decoded in a thread under limits. */
import * as l10n from '@vscode/l10n';
import { Sandbox } from '../../sandbox/sandbox.ts';
import { SandboxError } from '../../sandbox/sandboxError.ts';
import { readError } from '../files/fileErrors.ts';
import { RunError } from '../store/runError.ts';
import { parquetAnswerSchema, type ParquetAnswer, type ParquetJob } from './parquetProtocol.ts';

/** For one group of rows. */
const seconds = 120;
/** In MB: a group of a gigabyte of texts. */
const memory = 4_096;

/** Each row as JSON. @param dist the folder of built files @throws RunError `format`, `unreadable` */
export async function* parquetRows(file: string, dist: URL): AsyncGenerator<string> {
  const script = new URL('parquet-worker.js', dist);
  const sandbox = new Sandbox<ParquetJob, ParquetAnswer>({
    ...{ name: 'parquet', script, seconds, memory, answer: parquetAnswerSchema },
  });
  try {
    let place: { group: number; from: number } | null = { group: 0, from: 0 };
    while (place !== null) {
      const answer: ParquetAnswer = await sandbox.call({ file, ...place });
      if (answer.type === 'unreadable') {
        throw readError(Object.assign(new Error(answer.message), { code: answer.code }), file);
      }
      if (answer.type === 'refused') throw unreadable(file, answer.message);
      yield* answer.rows;
      place = answer.next;
    }
  } catch (error) {
    if (SandboxError.is(error)) throw unreadable(file, error.message);
    throw error;
  } finally {
    await sandbox.dispose();
  }
}

const unreadable = (path: string, why: string): RunError =>
  new RunError('format', {
    path,
    what: l10n.t('it cannot be read as parquet: {0}', why),
    remedy: l10n.t('Write it again with snappy, in groups of at most a million rows.'),
  });

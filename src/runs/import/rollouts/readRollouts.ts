/** Rollouts of a file or of a folder of files, one after another, in any supported form. */
import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as l10n from '@vscode/l10n';
import { readError } from '../../files/fileErrors.ts';
import { RunError } from '../../store/runError.ts';
import { rowsOf, type Row } from '../rows.ts';
import { valuesOf } from './cells.ts';
import { messagesRollout } from './messagesRow.ts';
import { isUnfit, type Rollout, type RolloutFormat, type Unfit } from './rollout.ts';
import { trlRollout } from './trlRow.ts';
import { verifiersRollout } from './verifiersRow.ts';
import { verlRollout } from './verlRow.ts';

/** `written`: the row with each number as it is written, which a gold keeps. */
const readers: Record<RolloutFormat, (row: Row, written: Row) => Rollout | Unfit> = {
  verl: verlRollout,
  trl: trlRollout,
  verifiers: verifiersRollout,
  messages: messagesRollout,
};

/** A rollout, or a row that is none, with its place. */
export type Found = { file: string; at: number } & ({ rollout: Rollout } | { unfit: Unfit });

/** A file, or everything of its folder that may hold rows: dumps of steps in the order of their numbers. @throws RunError */
export async function filesAt(path: string): Promise<string[]> {
  try {
    if (!(await stat(path)).isDirectory()) return [path];
    const names = await readdir(path);
    const files = tablesAmong(names, path);
    if (files.length > 0) return files;
    // TRL's trainer writes its tables of completions into a folder of the one that it is given.
    if (names.includes(trlTables)) {
      const inner = join(path, trlTables);
      const tables = tablesAmong(await readdir(inner), inner);
      if (tables.length > 0) return tables;
    }
  } catch (error) {
    throw readError(error, path);
  }
  throw new RunError('format', {
    path,
    what: l10n.t('the folder holds no .jsonl, .parquet, .csv or .tsv file'),
    remedy: l10n.t('Give a file of rollouts, or the folder that holds the dumps.'),
  });
}

const trlTables = 'completions';

const tablesAmong = (names: readonly string[], folder: string): string[] =>
  names
    .filter((name) => /\.(jsonl|parquet|csv|tsv)$/i.test(name))
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    .map((name) => join(folder, name));

/** Detected by the fields of a row; null when no form fits. */
export function formatOf(row: Row): RolloutFormat | null {
  const has = (...names: readonly string[]): boolean => names.every((name) => row[name] !== undefined);
  if (has('input', 'output', 'score')) return 'verl';
  if (has('prompt', 'completion')) return has('example_id') ? 'verifiers' : 'trl';
  return has('messages') ? 'messages' : null;
}

/** @param format of all rows; null detects it by the first row of each file. @throws RunError `format`, `unreadable` */
export async function* rolloutsAt(
  files: readonly string[],
  format: RolloutFormat | null,
  dist: URL,
): AsyncGenerator<Found> {
  for (const file of files) {
    const bad: Found[] = [];
    let known = format;
    const isTable = /\.(csv|tsv)$/i.test(file);
    const leave = (at: number, message: string): void => {
      bad.push({ file: basename(file), at, unfit: { field: '', message } });
    };
    for await (const { row, at, written } of rowsOf(file, dist, leave)) {
      yield* bad.splice(0);
      known ??= formatOf(row);
      if (known === null) {
        throw new RunError('format', {
          ...{ path: file, line: at },
          what: l10n.t(
            'a row with the fields {0} is in none of the forms that are read',
            Object.keys(row).slice(0, 8).join(', '),
          ),
          remedy: l10n.t('See docs/data.md for the forms, or say which it is.'),
        });
      }
      const read = readers[known](isTable ? valuesOf(row) : row, written);
      const place = { file: basename(file), at };
      yield isUnfit(read) ? { ...place, unfit: read } : { ...place, rollout: read };
    }
    yield* bad;
  }
}

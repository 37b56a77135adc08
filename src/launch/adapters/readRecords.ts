/** Records of one data file, streamed. */
import * as l10n from '@vscode/l10n';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { GameError } from '../../benchmarks/alfworld/gameError.ts';
import { readGameFile } from '../../benchmarks/alfworld/gameFile.ts';
import { stepsOf } from '../../benchmarks/alfworld/steps.ts';
import { readDialogue } from '../../benchmarks/apiBank/dialogue.ts';
import { samplesOf } from '../../benchmarks/apiBank/samples.ts';
import { CaseError } from '../../benchmarks/offline/offlineScorer.ts';
import type { DataFormat } from '../../shared/adapters/data.ts';
import { isTooDeep, parseExactly, tooDeep } from '../../shared/json.ts';
import { csvRecords } from '../../runs/import/csv.ts';
import { TooLong, textLines, tooLong } from '../../runs/import/textLines.ts';
import { codeOf } from '../../shared/systemError.ts';
import { DataError } from './dataError.ts';
import { jsonItems } from './jsonItems.ts';
import { messageOf } from '../../shared/messageOf.ts';
import { NotUtf8, utf8Pieces, utf8Text } from '../../shared/text/utf8.ts';
import { withoutMark } from '../../shared/text/byteOrderMark.ts';

/** `line`: where it begins, from 1. `text`: its JSON as it stood; null of a table's row. */
export type FileRecord =
  | { ok: true; value: unknown; text: string | null; line: number }
  | { ok: false; line: number; message: string; remedy: string };

/** @throws DataError `unreadable` */
export async function* readRecords(path: string, format: DataFormat): AsyncGenerator<FileRecord> {
  try {
    yield* recordsOf(path, format === 'ending' ? endingOf(path) : format);
  } catch (error) {
    if (error instanceof TooLong) {
      yield {
        ok: false,
        line: 1,
        message: l10n.t('Of a record {0}.', error.message),
        remedy: l10n.t('Close the quotes of each field.'),
      };
      return;
    }
    if (error instanceof NotUtf8) {
      const { line, message, remedy } = error;
      yield { ok: false, line, message: l10n.t('It cannot be read: {0}.', message), remedy };
      return;
    }
    if (codeOf(error) === '') throw error;
    const why = messageOf(error);
    throw new DataError(
      'unreadable',
      l10n.t('{0} cannot be read: {1}.', path, why),
      l10n.t('Correct its permissions, or get it again.'),
    );
  }
}

function recordsOf(path: string, format: Exclude<DataFormat, 'ending'>): AsyncGenerator<FileRecord> {
  switch (format) {
    case 'jsonl':
      return lines(path);
    case 'json':
      return items(path);
    case 'csv':
      return rows(path, ',');
    case 'tsv':
      return rows(path, '\t');
    case 'api-bank':
      return samples(path);
    case 'bfcl-turns':
      return turns(path);
    case 'alfworld-steps':
      return steps(path);
  }
}

function endingOf(path: string): 'jsonl' | 'json' | 'csv' | 'tsv' {
  const endings = ['jsonl', 'csv', 'tsv'] as const;
  return endings.find((ending) => path.toLowerCase().endsWith(`.${ending}`)) ?? 'json';
}

/** Of a dialogue whose turns are a line each. */
async function* samples(path: string): AsyncGenerator<FileRecord> {
  const text = utf8Text(await readFile(path));
  try {
    for (const { line, ...value } of samplesOf(readDialogue(text))) {
      yield { ok: true, value, text: JSON.stringify(value), line };
    }
  } catch (error) {
    if (!(error instanceof CaseError)) throw error;
    yield {
      ok: false,
      line: 1,
      message: l10n.t('In this dialogue {0}.', error.message),
      remedy: l10n.t('Get the file again.'),
    };
  }
}

/** Only of games that count: the official program leaves out unsolved ones. */
async function* steps(path: string): AsyncGenerator<FileRecord> {
  try {
    const game = readGameFile(utf8Text(await readFile(path)));
    if (game.solvable !== true) return;
    for (const value of stepsOf(game)) yield { ok: true, value, text: null, line: 1 };
  } catch (error) {
    if (!(error instanceof GameError)) throw error;
    yield { ok: false, line: 1, message: error.message, remedy: l10n.t('Get the game again.') };
  }
}

const conversation = z.looseObject({ ground_truth: z.array(z.array(z.string())) });

/** Each turn of a line's conversation with a truth: the others are right for any answer. */
async function* turns(path: string): AsyncGenerator<FileRecord> {
  for await (const record of lines(path)) {
    if (!record.ok) {
      yield record;
      continue;
    }
    const { line, text } = record;
    const { data } = conversation.safeParse(record.value);
    if (data === undefined || text === null) {
      const message = l10n.t('This line has no ground_truth that is a list of turns of calls.');
      yield { ok: false, line, message, remedy: l10n.t('Get the file again.') };
      continue;
    }
    for (const [turn, calls] of data.ground_truth.entries()) {
      if (calls.length === 0) continue;
      yield { ok: true, value: { ...data, turn }, text: text.replace('{', `{"turn": ${turn}, `), line };
    }
  }
}

async function* piecesOf(path: string): AsyncGenerator<string> {
  let first = true;
  for await (const text of utf8Pieces(createReadStream(path))) {
    yield first ? withoutMark(text) : text;
    first = false;
  }
}

async function* lines(path: string): AsyncGenerator<FileRecord> {
  const remedy = l10n.t('A file of format jsonl has one object a line.');
  for await (const { text, at: line, length } of textLines(piecesOf(path))) {
    if (text === null) {
      yield { ok: false, line, message: l10n.t('In line {0} {1}.', line, tooLong(length)), remedy };
    } else if (text.trim() !== '') yield recordOf(text, line, l10n.t('This line is not JSON.'), remedy);
  }
}

async function* items(path: string): AsyncGenerator<FileRecord> {
  for await (const { text, line, whole } of jsonItems(piecesOf(path))) {
    if (whole) {
      yield recordOf(text, line, l10n.t('This record is not JSON.'), l10n.t('Get the file again, or correct it.'));
      continue;
    }
    const message = l10n.t('The file is no whole JSON value.');
    yield {
      ok: false,
      line,
      message,
      remedy: l10n.t('With one object a line its format is jsonl; else get it again.'),
    };
    return;
  }
}

function recordOf(text: string, line: number, message: string, remedy: string): FileRecord {
  const value = parseExactly(text);
  if (value !== undefined) return { ok: true, value, text, line };
  return { ok: false, line, message: isTooDeep(text) ? l10n.t('It cannot be read: {0}.', tooDeep()) : message, remedy };
}

async function* rows(path: string, separator: string): AsyncGenerator<FileRecord> {
  let head: string[] | null = null;
  let line = 1;
  for await (const row of csvRecords(piecesOf(path), separator)) {
    const from = line;
    line += 1 + row.reduce((sum, field) => sum + field.split('\n').length - 1, 0);
    if (row.length === 1 && row[0] === '') continue;
    if (head === null) {
      head = row.map((name) => name.trim());
      continue;
    }
    const names = head;
    if (row.length === names.length) {
      const value = Object.fromEntries(row.map((field, i) => [names[i] ?? '', field]));
      yield { ok: true, value, text: null, line: from };
      continue;
    }
    const message = l10n.t('This row has {0} fields, and the head names {1}.', row.length, names.length);
    yield { ok: false, line: from, message, remedy: l10n.t('Quote fields that hold a separator or a line end.') };
  }
}

/** Data that an adapter joins to a record: tables that are read once and kept, and files beside the record's own. */
import * as l10n from '@vscode/l10n';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sourceText } from '../../benchmarks/adapter/mapRecord.ts';
import { RecordFault, recordFile, type RecordFile, type Scope } from '../../benchmarks/adapter/scope.ts';
import type { AdapterData, AdapterJoin, DataFormat } from '../../shared/adapters/data.ts';
import type { Problem } from '../../shared/experiment/problems/problem.ts';
import type { JsonObject } from '../../shared/experiment/resolve.ts';
import { parseExactly } from '../../shared/json.ts';
import { utf8Text } from '../../shared/text/utf8.ts';
import { codeOf } from '../../shared/systemError.ts';
import type { LocatedData } from './locate.ts';
import { refuseClimbing, refuseLeading } from './within.ts';
import { readRecords } from './readRecords.ts';

interface Joinable {
  value: unknown;
  text: string | null;
}

/** Puts the joined value of one name into a record's scope. @throws RecordFault when there is none */
type Joiner = (scope: Scope, texts: Map<string, string>) => Promise<void>;

export interface Joins {
  /** The record's scope with everything that is joined to it. @throws RecordFault when something is missing */
  complete(scope: Scope): Promise<Scope>;
  /** Problems of the joined files. */
  problems: readonly Problem[];
}

/** Reads the tables: they are held in memory, the records are not. @throws DataError */
export async function openJoins(data: AdapterData, located: LocatedData): Promise<Joins> {
  const problems: Problem[] = [];
  const joiners: Joiner[] = [];
  for (const [name, one] of Object.entries(data.join ?? {})) {
    const files = located.joins.find((there) => there.name === name)?.files ?? [];
    if (one.kind === 'beside') joiners.push(besideJoiner(name, located, one.file));
    else if (one.kind === 'all')
      joiners.push(allJoiner(name, await listsOf(name, one, files, located.folder, problems)));
    else joiners.push(keyJoiner(name, one, await tableOf(name, one, files, located.folder, problems)));
  }
  return {
    problems,
    async complete(scope) {
      const texts = new Map(scope.texts);
      const whole: Scope = { values: { ...scope.values }, texts };
      for (const joiner of joiners) await joiner(whole, texts);
      return whole;
    },
  };
}

function keyJoiner(name: string, { here, optional = false }: KeyJoin, table: ReadonlyMap<string, Joinable>): Joiner {
  return (scope, texts) => {
    const key = sourceText(here, scope);
    const found = table.get(key);
    if (found === undefined && optional) {
      scope.values[name] = null;
      return Promise.resolve();
    }
    if (found === undefined)
      throw new RecordFault(l10n.t('no record there has the key “{0}”', key), `data.join.${name}`);
    put(scope, texts, name, found);
    return Promise.resolve();
  };
}

function allJoiner(name: string, lists: JsonObject): Joiner {
  return (scope) => {
    scope.values[name] = lists;
    return Promise.resolve();
  };
}

function besideJoiner(name: string, { folder, outside }: LocatedData, file: string): Joiner {
  if (!outside) refuseClimbing(file);
  return async (scope, texts) => {
    const path = join(folder, sourceText('/file/folder', scope), file);
    const field = `data.join.${name}`;
    let text: string;
    if (!outside) await refuseLeading(folder, path);
    try {
      text = utf8Text(
        await readFile(path),
        ({ message }) => new RecordFault(`${l10n.t('{0} cannot be read', path)}: ${message}`, field),
      );
    } catch (error) {
      if (codeOf(error) === '') throw error;
      throw new RecordFault(l10n.t('{0} cannot be read', path), field);
    }
    const value = parseExactly(text);
    if (value === undefined) throw new RecordFault(l10n.t('{0} is not JSON', path), field);
    put(scope, texts, name, { value, text });
  };
}

function put(scope: Scope, texts: Map<string, string>, name: string, { value, text }: Joinable): void {
  scope.values[name] = value;
  if (text !== null) texts.set(name, text);
}

type KeyJoin = Extract<AdapterJoin, { kind: 'key' }>;
type AllJoin = Extract<AdapterJoin, { kind: 'all' }>;

/** One record of a joined file. */
interface Found {
  value: unknown;
  text: string | null;
  file: RecordFile;
  say: (message: string, remedy: string) => void;
}

/** The records of joined files; unreadable ones become problems. @throws DataError */
async function* foundIn(
  name: string,
  format: DataFormat,
  files: readonly string[],
  folder: string,
  problems: Problem[],
): AsyncGenerator<Found> {
  for (const file of files) {
    const path = join(folder, file);
    let index = -1;
    for await (const record of readRecords(path, format)) {
      index += 1;
      const say = (message: string, remedy: string): void => {
        const field = `data.join.${name}`;
        problems.push({ file: path, line: record.line, column: 1, field, message, remedy, severity: 'error' });
      };
      if (!record.ok) {
        say(record.message, record.remedy);
        continue;
      }
      yield { value: record.value, text: record.text, file: recordFile(file, index), say };
    }
  }
}

async function listsOf(
  name: string,
  { format }: AllJoin,
  files: readonly string[],
  folder: string,
  problems: Problem[],
): Promise<JsonObject> {
  const lists: Record<string, unknown[]> = {};
  for await (const { value, file } of foundIn(name, format, files, folder, problems)) {
    (lists[file.stem] ??= []).push(value);
  }
  return lists;
}

async function tableOf(
  name: string,
  { format, there }: KeyJoin,
  files: readonly string[],
  folder: string,
  problems: Problem[],
): Promise<Map<string, Joinable>> {
  const table = new Map<string, Joinable>();
  for await (const { value, text, file, say } of foundIn(name, format, files, folder, problems)) {
    const texts = new Map(text === null ? [] : [['record', text] as const]);
    try {
      const key = sourceText(there, { values: { record: value, file, split: '' }, texts });
      if (table.has(key))
        say(l10n.t('The key “{0}” stands in an earlier record already.', key), l10n.t('The first one counts.'));
      else table.set(key, { value, text });
    } catch (error) {
      if (!(error instanceof RecordFault)) throw error;
      say(l10n.t('data.join.{0}.there: {1}.', name, error.message), l10n.t('Correct the adapter, or the record.'));
    }
  }
  return table;
}

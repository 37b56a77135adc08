/** The adapter editor's view of data and records: files, counts, one record mapped, one answer judged. */
import { relative } from 'node:path';
import * as vscode from 'vscode';
import { parseAnswer } from '../../../benchmarks/adapter/answers/parseAnswer.ts';
import { mapFields, mapRecord, type MappedTask, type Misfit } from '../../../benchmarks/adapter/mapRecord.ts';
import type { AdapterParts, AdapterReading } from '../../../benchmarks/adapter/readAdapter.ts';
import type { Scope } from '../../../benchmarks/adapter/scope.ts';
import { ScorerTable } from '../../../benchmarks/scorerTable.ts';
import { atHome } from '../../../launch/adapters/checkAdapter.ts';
import { DataError } from '../../../launch/adapters/dataError.ts';
import { dataFolder } from '../../../launch/adapters/locate.ts';
import { countRecords, nthRecord } from '../../../launch/adapters/nthRecord.ts';
import { openData } from '../../../launch/adapters/openData.ts';
import type { OpenedData } from '../../../launch/adapters/splitRecords.ts';
import { openRules } from '../../../launch/scoring/openRules.ts';
import type { Adapter } from '../../../shared/adapters/schema.ts';
import { isError } from '../../../shared/experiment/problems/problem.ts';
import type { AdapterDataView, Judged, RecordView } from '../contract.ts';
import { readsOutside } from '../../../host/files/readsOutside.ts';
import { inWords } from '../../../shared/journal/recordedWords.ts';

/** Letters of a record that are shown. */
const longest = 20_000;

/** The data of one state of an adapter's text. It is read anew only when the adapter or its folder changed. */
export class AdapterView {
  readonly #reading: AdapterReading;
  readonly #parts: AdapterParts;
  readonly #dist: URL;
  readonly #folder: string | null;
  #judging: Promise<ScorerTable> | null = null;
  readonly #data: Promise<OpenedData> | null;
  readonly #ending = new AbortController();

  /** @param dist the folder of built files */
  constructor(reading: AdapterReading, parts: AdapterParts, file: string, dist: URL) {
    this.#reading = reading;
    this.#parts = parts;
    this.#dist = dist;
    const { data, task } = parts;
    const source = { data, task: { id: task?.id ?? '' } };
    this.#folder = dataFolder(file, data);
    this.#data = this.#folder === null ? null : openData(source, this.#folder, readsOutside(vscode.Uri.file(file)));
    // The error reaches the request; there may be none yet.
    this.#data?.catch(() => undefined);
  }

  dispose(): void {
    this.#ending.abort(new Error('The adapter changed.'));
  }

  /** Reports the files at once, then the counts as they arrive. */
  async tell(say: (view: AdapterDataView) => void): Promise<void> {
    const folder = this.#folder;
    if (this.#data === null || folder === null) {
      say({ folder, trouble: vscode.l10n.t('No folder of the data is chosen.'), splits: [], joins: [] });
      return;
    }
    const signal = this.#ending.signal;
    try {
      const data = await this.#data;
      const view: AdapterDataView = {
        folder,
        trouble: '',
        splits: data.located.splits.map(({ name, files, missing }) => ({
          ...{ name, files: files.length, missing, records: null },
          expected: this.#parts.data.splits[name]?.records ?? null,
        })),
        joins: data.located.joins.map(({ name, files, missing }) => ({ name, files: files.length, missing })),
      };
      say(view);
      for (const split of view.splits) {
        split.records = await countRecords(data, split.name, signal);
        say(view);
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof DataError)) throw error;
      say({ folder, trouble: inWords(`${error.message} ${error.remedy}`), splits: [], joins: [] });
    }
  }

  /** Null when the split has no such record, or the data cannot be read. */
  async record(split: string, index: number): Promise<RecordView | null> {
    const found = await this.#found(split, index);
    if (found === null) return null;
    const { path, line } = found;
    const place = { path: relative(this.#folder ?? '', path).replaceAll('\\', '/'), line };
    const nothing = { task: null, prompt: [], gold: null, goldAnswer: null };
    if ('problem' in found) {
      const { field, message } = found.problem;
      return { ...place, ...nothing, raw: '', misfits: [{ field, message }] };
    }
    const raw = laidOut(found.scope.values);
    const { adapter } = this.#reading;
    if (adapter === null) return { ...place, ...nothing, raw, ...this.#faulty(found.scope) };
    const mapped = mapRecord(adapter, found.scope);
    if (!('task' in mapped)) return { ...place, ...nothing, raw, misfits: [...mapped.misfits] };
    const task = atHome(adapter, mapped.task, { folder: this.#folder ?? '', split });
    const rules = await ScorerTable.open([adapter.scorer.kind], this.#dist);
    const fault = rules.fault(task);
    return {
      ...place,
      raw,
      task: laidOut(task),
      prompt: task.prompt.map(({ role, content }) => ({ role, content })),
      gold: task.gold,
      goldAnswer: rules.goldAnswer(task),
      misfits: fault === null ? [] : [{ field: 'scorer', message: fault }],
    };
  }

  async judge(split: string, index: number, answer: string): Promise<Judged> {
    const unjudged = (error: string): Judged => {
      return { parsed: null, success: false, reward: 0, parts: {}, note: '', error };
    };
    const { adapter } = this.#reading;
    if (adapter === null) return unjudged(vscode.l10n.t('The adapter has an error, so there is nothing to judge by.'));
    const task = await this.#task(adapter, split, index);
    if (task === null) return unjudged(vscode.l10n.t('The record does not fit, so there is nothing to judge by.'));
    const parsed = parseAnswer(answer, adapter.answer);
    const messages = [{ role: 'assistant' as const, content: answer }];
    let rules: ScorerTable;
    try {
      // A benchmark's database is read once: all records have the same.
      rules = await (this.#judging ??= openRules([task], this.#dist));
    } catch (error) {
      if (!(error instanceof DataError)) throw error;
      return unjudged(`${error.message} ${error.remedy}`);
    }
    const verdict = rules.score(task, { messages, stopReason: 'stop' });
    return {
      parsed: parsed.ok ? (typeof parsed.value === 'string' ? parsed.value : laidOut(parsed.value)) : null,
      success: verdict.success,
      reward: verdict.reward,
      parts: verdict.parts ?? {},
      note: inWords(verdict.note ?? ''),
      error: verdict.error === undefined ? null : inWords(verdict.error),
    };
  }

  /** Where a record stands, from 1; null when there is none. */
  async place(split: string, index: number): Promise<{ path: string; line: number } | null> {
    return this.#found(split, index);
  }

  async #found(split: string, index: number): Promise<Awaited<ReturnType<typeof nthRecord>>> {
    if (this.#data === null) return null;
    try {
      return await nthRecord(await this.#data, split, index, this.#ending.signal);
    } catch (error) {
      if (error instanceof DataError || this.#ending.signal.aborted) return null;
      throw error;
    }
  }

  async #task(adapter: Adapter, split: string, index: number): Promise<MappedTask | null> {
    const found = await this.#found(split, index);
    if (found === null || 'problem' in found) return null;
    const mapped = mapRecord(adapter, found.scope);
    return 'task' in mapped ? atHome(adapter, mapped.task, { folder: this.#folder ?? '', split }) : null;
  }

  /** A record while the adapter has errors: the errors, and the result of its mapping as far as usable. */
  #faulty(scope: Scope): Pick<RecordView, 'prompt' | 'gold' | 'misfits'> {
    const misfits = faultsOf(this.#reading);
    const { task } = this.#parts;
    if (task === null) return { prompt: [], gold: null, misfits };
    const mapped = mapFields(task, scope);
    const told = ({ field }: Misfit): boolean => misfits.some((fault) => fault.field.startsWith(field));
    return {
      prompt: mapped.prompt.map(({ role, content }) => ({ role, content })),
      gold: mapped.gold,
      misfits: [...misfits, ...mapped.misfits.filter((misfit) => !told(misfit))],
    };
  }
}

/** A record of an adapter by which no data can be found. */
export const unread = (reading: AdapterReading): RecordView => ({
  ...{ path: '', line: 0, raw: '', task: null, prompt: [], gold: null, goldAnswer: null },
  misfits: faultsOf(reading),
});

/** Faults of the adapter itself, at their fields. */
const faultsOf = ({ problems }: AdapterReading): Misfit[] =>
  problems.filter(isError).map(({ field, message, remedy }) => ({ field, message: `${message} ${remedy}`.trim() }));

function laidOut(value: unknown): string {
  const text = JSON.stringify(value, null, 2);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

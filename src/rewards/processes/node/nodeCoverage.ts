/** Coverage of the user's files since the last request, from V8 inside this process. */
import { Session, type Profiler } from 'node:inspector';
import { fileURLToPath } from 'node:url';
import { append } from '../../../shared/append.ts';
import type { TakenCoverage } from '../../../shared/rewards/coverage.ts';
import { sourceOf } from './load.ts';

export class NodeCoverage {
  readonly #session = new Session();
  readonly #files: ReadonlySet<string>;
  readonly #told = new Set<string>();

  /** Begins at once: earlier loads are not covered. @param files the user's own files */
  constructor(files: ReadonlySet<string>) {
    this.#files = files;
    this.#session.connect();
    this.#session.post('Profiler.enable');
    this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  }

  /** Counts begin anew with each. */
  take(): TakenCoverage[] {
    const scripts: Profiler.ScriptCoverage[] = [];
    // In the thread that is looked at itself, the answer is there before the call is back.
    this.#session.post('Profiler.takePreciseCoverage', (_, taken) => append(scripts, taken.result));
    return scripts.flatMap(({ url, functions }) => {
      const file = url.startsWith('file:') ? fileURLToPath(url) : url;
      return this.#files.has(file) ? [this.#taken(file, functions)] : [];
    });
  }

  #taken(file: string, functions: readonly Profiler.FunctionCoverage[]): TakenCoverage {
    const source = this.#told.has(file) ? null : sourceOf(file);
    this.#told.add(file);
    return {
      kind: 'spans',
      file,
      source,
      functions: functions.map(({ functionName, ranges }) => ({
        name: functionName,
        spans: ranges.map(({ startOffset, endOffset, count }) => ({ from: startOffset, to: endOffset, count })),
      })),
    };
  }
}

/** The trace that each file was last debugged on in this workspace. */
import * as z from 'zod';
import type * as vscode from 'vscode';
import type { TraceTarget } from '../files/traceInFront.ts';
import { once } from '../once.ts';
import type { Memory } from '../trees/expansion.ts';

const key = 'genenv.debug.lastTraces';
const kept = 30;

const lastSchema = once(() => z.array(z.object({ file: z.string(), run: z.string(), trace: z.string() })));

export class LastTraces {
  readonly #memory: Memory;

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  of(file: vscode.Uri): TraceTarget | undefined {
    const last = this.#all.find((one) => one.file === file.toString());
    return last && { run: last.run, trace: last.trace };
  }

  async keep(file: vscode.Uri, { run, trace }: TraceTarget): Promise<void> {
    const others = this.#all.filter((one) => one.file !== file.toString());
    await this.#memory.update(key, [{ file: file.toString(), run, trace }, ...others].slice(0, kept));
  }

  get #all(): z.infer<ReturnType<typeof lastSchema>> {
    return lastSchema().catch([]).parse(this.#memory.get(key));
  }
}

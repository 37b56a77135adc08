/** Where a session stops when no breakpoint is set: at the first line of the function. */
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import * as z from 'zod';
import type { LoadedFile } from '../../rewards/processes/debuggedProgram.ts';
import type { ProgramRequest } from './programRequest.ts';

const boundSchema = z.object({ verified: z.literal(true) });

/** Milliseconds for a debugger to set a breakpoint. */
const longest = 15_000;

export class EntryStops {
  readonly #request: Pick<ProgramRequest<unknown>, 'file' | 'entry' | 'stopOnEntry'>;
  readonly #sessions = new Map<string, vscode.DebugSession>();
  #placed: vscode.SourceBreakpoint | null = null;

  constructor(request: Pick<ProgramRequest<unknown>, 'file' | 'entry' | 'stopOnEntry'>) {
    this.#request = request;
  }

  /** A session that may bind the breakpoint. */
  watch(session: vscode.DebugSession): void {
    this.#sessions.set(session.id, session);
  }

  /** Makes the next call stop, unless breakpoints do. @returns the message for it, '' for none */
  async place({ files, entries }: LoadedFile): Promise<string> {
    this.dispose();
    const entry = this.#request.entry.map((name) => entries[name]).find((one) => one !== undefined);
    if (entry === undefined || this.#request.stopOnEntry === false) return '';
    const own = vscode.debug.breakpoints.filter(
      (one) => one instanceof vscode.SourceBreakpoint && one.enabled && files.includes(one.location.uri.fsPath),
    );
    if (own.length > 0 && this.#request.stopOnEntry !== true) return '';
    // Of a function in one line, the line alone would stop where the file is loaded.
    const at = new vscode.Position(entry.line - 1, entry.column - 1);
    const placed = new vscode.SourceBreakpoint(new vscode.Location(vscode.Uri.file(entry.file), at));
    vscode.debug.addBreakpoints([placed]);
    this.#placed = placed;
    await this.#bound(placed);
    const name = basename(this.#request.file.path);
    return own.length > 0
      ? vscode.l10n.t('{0} stops at line {1}, where its function begins.', name, entry.line)
      : vscode.l10n.t('{0} has no breakpoint: it stops at line {1}, where its function begins.', name, entry.line);
  }

  /** Takes the breakpoint away again. */
  dispose(): void {
    if (this.#placed !== null) vscode.debug.removeBreakpoints([this.#placed]);
    this.#placed = null;
  }

  /** Until some debugger has it; a call that came before would run through. */
  async #bound(breakpoint: vscode.Breakpoint): Promise<void> {
    const end = Date.now() + longest;
    while (Date.now() < end) {
      for (const session of this.#sessions.values()) {
        const found: unknown = await session.getDebugProtocolBreakpoint(breakpoint);
        if (boundSchema.safeParse(found).success) return;
      }
      await sleep(25);
    }
  }
}

/** Attempts at a task shown in place, under a line of the editor in front; one after another without leaving it. */
import * as vscode from 'vscode';
import * as z from 'zod';
import type { OpenRuns } from '../trees/openRuns.ts';
import { traceUri } from './layout/place.ts';
import { lineOfPlace, readerPlace } from './keptPlace.ts';
import type { RecordFiles } from './recordFiles.ts';
import { attemptsOf } from './reading.ts';

/** The subject of a lens's peek, and its position. */
const requestSchema = z.object({
  run: z.string(),
  task: z.string(),
  /** The last in which it was attempted when absent. */
  epoch: z.int().optional(),
  /** Ids of its attempts, where they are known. */
  attempts: z.array(z.string()).optional(),
  /** Line of the editor in front, from 0; the cursor's when absent. */
  line: z.int().optional(),
});
type Request = z.infer<typeof requestSchema>;

interface Shown {
  run: string;
  attempts: readonly string[];
  /** Which of them. */
  at: number;
  /** The line of it that is shown. */
  shownLine: number;
  editor: vscode.Uri;
  line: number;
}

export class AttemptPeek {
  readonly #open: OpenRuns;
  readonly #traces: Pick<RecordFiles, 'layoutOf'>;
  readonly #provider: vscode.Disposable;
  #shown: Shown | null = null;

  /** @param traces the layouts of open traces */
  constructor(open: OpenRuns, traces: Pick<RecordFiles, 'layoutOf'>) {
    this.#open = open;
    this.#traces = traces;
    this.#provider = vscode.languages.registerImplementationProvider(
      { scheme: 'file', pattern: '**/*.jsonl' },
      { provideImplementation: ({ uri }, { line }) => this.#locationsAt(uri, line) },
    );
  }

  dispose(): void {
    this.#provider.dispose();
  }

  /** Shows the first attempt, and a list of the others beside it. @throws RunError */
  async show(argument: unknown): Promise<void> {
    const front = vscode.window.activeTextEditor;
    if (front === undefined) return;
    const request = requestSchema.parse(argument);
    const attempts = request.attempts ?? (await this.#recorded(request));
    const line = request.line ?? front.selection.active.line;
    if (front.document.uri.scheme === 'file') front.selection = new vscode.Selection(line, 0, line, 0);
    await this.#peek({ run: request.run, attempts, at: 0, shownLine: 0, editor: front.document.uri, line });
  }

  /** Shows the attempt `steps` further on in the same place, around from the last to the first. */
  async step(steps: 1 | -1): Promise<void> {
    if (this.#shown === null) return;
    const { run, attempts, at } = this.#shown;
    const next = (at + steps + attempts.length) % attempts.length;
    const shownLine = await this.#samePlace(run, attempts[at], attempts[next]);
    // On a second request at the same place the editor would close it.
    await vscode.commands.executeCommand('closeReferenceSearch');
    await this.#peek({ ...this.#shown, at: next, shownLine });
  }

  async #peek(shown: Shown): Promise<void> {
    const { editor, line } = shown;
    this.#shown = shown;
    // Asked to peek from a file's address, VS Code would open it first, and a file of tasks in the task editor.
    if (editor.scheme === 'file') await vscode.commands.executeCommand('editor.action.peekImplementation');
    else {
      const place = new vscode.Position(line, 0);
      await vscode.commands.executeCommand('editor.action.peekLocations', editor, place, locationsOf(shown), 'peek');
    }
  }

  /** Locations for a seed task's line while its attempts are shown; none otherwise. */
  #locationsAt(uri: vscode.Uri, line: number): vscode.Location[] {
    const shown = this.#shown;
    return shown?.editor.toString() === uri.toString() && shown.line === line ? locationsOf(shown) : [];
  }

  /** The line of the next attempt at which the reader stands in this one. */
  async #samePlace(run: string, here: string | undefined, next: string | undefined): Promise<number> {
    if (here === undefined || next === undefined) return 0;
    const uri = traceUri(run, here).toString();
    const editor = vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === uri);
    const laidOut = editor === undefined ? null : await this.#traces.layoutOf(editor.document);
    if (editor === undefined || laidOut === null) return 0;
    const { top, cursor, isAtCursor } = readerPlace(laidOut, editor);
    const document = await vscode.workspace.openTextDocument(traceUri(run, next));
    const laidOutNext = await this.#traces.layoutOf(document);
    const place = isAtCursor ? cursor : top;
    return laidOutNext === null ? 0 : lineOfPlace(laidOutNext, place);
  }

  async #recorded({ run, task, epoch }: Request): Promise<string[]> {
    const opened = await this.#open.open(run);
    const at = epoch ?? (await opened.followed.reader.epochsAttempting(task)).at(-1);
    return at === undefined ? [] : (await attemptsOf(opened, { task, epoch: at })).map(({ id }) => id);
  }
}

/** The editor selects the location nearest to the place, where a line counts as 100 columns: the others are farther. */
function locationsOf({ run, attempts, at, shownLine }: Shown): vscode.Location[] {
  const chosen = new vscode.Position(shownLine, 0);
  const other = new vscode.Position(0, 100 * shownLine + 1);
  return attempts.map((id, i) => new vscode.Location(traceUri(run, id), i === at ? chosen : other));
}

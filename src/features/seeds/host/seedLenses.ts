/** Above every task of a seed file: how the newest run of the file solved it, and its attempts. */
import * as vscode from 'vscode';
import { parseTaskFile } from '../../../shared/records/taskFile.ts';
import type { Task } from '../../../shared/records/task.ts';
import { attemptMarks, rateOf } from '../../../host/documents/attemptMarks.ts';
import { attemptsOf } from '../../../host/documents/reading.ts';
import { measured } from '../../../shared/text/figures/intervals.ts';
import { count } from '../../../shared/text/figures/numbers.ts';
import type { OpenRuns } from '../../../host/trees/openRuns.ts';
import { parts } from '../../../host/trees/words.ts';
import type { SeedRuns } from './seedRuns.ts';

/** How a task of a seed file went in the newest run of the file. */
interface Known {
  run: string;
  task: string;
  /** In which it was attempted last; null when it was not. */
  epoch: number | null;
  /** Ids of its attempts in that epoch. */
  attempts: readonly string[];
  words: string;
}

export class SeedLenses implements vscode.CodeLensProvider {
  readonly #runs: SeedRuns;
  readonly #open: OpenRuns;
  /** Of lenses that are not resolved yet. */
  readonly #documents = new WeakMap<vscode.CodeLens, vscode.TextDocument>();
  readonly onDidChangeCodeLenses: vscode.Event<void>;

  constructor(runs: SeedRuns, open: OpenRuns, changed: vscode.Event<void>) {
    this.#runs = runs;
    this.#open = open;
    this.onDidChangeCodeLenses = changed;
  }

  /** One a line; the content of visible ones is resolved later. */
  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    if ((await this.#runs.runOf(document.uri.fsPath)) === null) return [];
    const lines = Array.from({ length: document.lineCount }, (_, line) => line);
    return lines
      .filter((line) => !document.lineAt(line).isEmptyOrWhitespace)
      .map((line) => {
        const lens = new vscode.CodeLens(new vscode.Range(line, 0, line, 0));
        this.#documents.set(lens, document);
        return lens;
      });
  }

  async resolveCodeLens(lens: vscode.CodeLens): Promise<vscode.CodeLens> {
    const { line } = lens.range.start;
    const document = this.#documents.get(lens);
    const known = document === undefined ? null : await this.at(document, line);
    const title = known?.words ?? vscode.l10n.t('no task');
    const peeks = known !== null && known.attempts.length > 0;
    lens.command = peeks
      ? { title, command: 'genenv.peekAttempts', arguments: [{ ...known, line }] }
      : { title, command: '' };
    return lens;
  }

  /** The task in a line; null when there is none, or no run of the file. @throws RunError, InputError */
  async at(document: vscode.TextDocument, line: number): Promise<Known | null> {
    const run = await this.#runs.runOf(document.uri.fsPath);
    const task = taskIn(document, line);
    if (run === null || task === null) return null;
    const opened = await this.#open.open(run);
    const { manifest, reader } = opened.followed;
    const epoch = (await reader.epochsAttempting(task.id)).at(-1) ?? null;
    const { name } = manifest.experiment;
    if (epoch === null) {
      const words = parts(task.id, vscode.l10n.t('not attempted in “{0}”', name));
      return { run, task: task.id, epoch, attempts: [], words };
    }
    const traces = await attemptsOf(opened, { task: task.id, epoch });
    const verdicts = traces.map(({ verdict }) => verdict);
    const edited = (await this.#runs.hasAsItIs(run, task)) ? null : vscode.l10n.t('edited since');
    const place = vscode.l10n.t('epoch {0} of “{1}”', count(epoch), name);
    const words = parts(`${measured(rateOf(verdicts))}  ${attemptMarks(verdicts)}`, place, edited);
    return { run, task: task.id, epoch, attempts: traces.map(({ id }) => id), words };
  }
}

/** The task of one line, with the id that a run gives it; null for a line that is none. */
function taskIn(document: vscode.TextDocument, line: number): Task | null {
  if (line >= document.lineCount) return null;
  // A task without an id is identified by its line.
  const text = `${'\n'.repeat(line)}${document.lineAt(line).text}`;
  const read = parseTaskFile(text, document.uri.fsPath, 'base');
  return 'tasks' in read ? (read.tasks[0] ?? null) : null;
}

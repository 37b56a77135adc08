/** From one attempt to others at the same task: the next, the one before, two side by side. */
import * as vscode from 'vscode';
import type { Trace } from '../../shared/records/trace.ts';
import { count, rate } from '../../shared/text/figures/numbers.ts';
import type { RunCatalog } from '../runs/runs.ts';
import type { OpenRun } from '../trees/openRun.ts';
import type { OpenRuns } from '../trees/openRuns.ts';
import { runTargetSchema } from '../trees/target.ts';
import { parts } from '../trees/words.ts';
import { startOf, answerOf } from './layout/messages.ts';
import { placeOf, traceScheme, traceUri } from './layout/place.ts';
import { lineOfPlace, readerPlace, type KeptPlace, type ReaderPlace } from './keptPlace.ts';
import type { RecordFiles } from './recordFiles.ts';
import { attemptsOf, groupOf, playsAt, traceOf } from './reading.ts';
import { attemptName } from './layout/taskLayout.ts';
import { judgedWord } from './layout/verdictWords.ts';
import { once } from '../once.ts';
import { nameInTitles } from '../webviews/runTitle.ts';

/** Layouts of open traces. */
export type Layouts = Pick<RecordFiles, 'layoutOf'>;

export interface AttemptsDeps {
  open: OpenRuns;
  traces: Layouts;
}

const traceTarget = once(() => runTargetSchema.required({ trace: true }));
/** The trace that a command was called with, else the one in front. @throws Error when there is none */
function targetOf(argument: unknown): { run: string; trace: string } {
  const given = traceTarget().safeParse(argument);
  if (given.success) return given.data;
  const uri = argument instanceof vscode.Uri ? argument : vscode.window.activeTextEditor?.document.uri;
  if (uri?.scheme !== traceScheme) throw new Error(vscode.l10n.t('No trace is open.'));
  const { run, id } = placeOf(uri);
  return { run, trace: id };
}

/** Where a reader stands in a trace; null when it is in no editor. */
async function placeIn(traces: Layouts, run: string, trace: string): Promise<ReaderPlace | null> {
  const uri = traceUri(run, trace).toString();
  const shows = (editor: vscode.TextEditor | undefined): boolean => editor?.document.uri.toString() === uri;
  const front = vscode.window.activeTextEditor;
  const editor = shows(front) ? front : vscode.window.visibleTextEditors.find(shows);
  const laidOut = editor === undefined ? null : await traces.layoutOf(editor.document);
  if (editor === undefined || laidOut === null) return null;
  const measured = readerPlace(laidOut, editor);
  // The editor scrolls by about as much as asked: step by step that would add up.
  if (led?.trace !== trace) return measured;
  const asked = lineOfPlace(laidOut, led.top);
  return Math.abs(lineOfPlace(laidOut, measured.top) - asked) <= roughly ? { ...measured, top: led.top } : measured;
}

/** The step before, and the place it asked the editor for; null before the first. */
let led: { trace: string; top: KeptPlace } | null = null;
/** A reader who scrolled by fewer lines is still there. */
const roughly = 6;

/** Scrolls to a line. */
function toTop(editor: vscode.TextEditor, line: number): void {
  // The editor leaves room above for lines that stick there, whether or not as many do.
  const settings = vscode.workspace.getConfiguration('editor', editor.document);
  const sticky =
    settings.get<boolean>('stickyScroll.enabled') === true ? settings.get('stickyScroll.maxLineCount', 5) : 0;
  const shown = line === 0 ? 0 : Math.min(line + sticky, editor.document.lineCount - 1);
  editor.revealRange(new vscode.Range(shown, 0, shown, 0), vscode.TextEditorRevealType.AtTop);
}

/** Opens the attempt `steps` further on, around from the last to the first, at the reader's place. */
export async function stepAttempt({ open, traces }: AttemptsDeps, argument: unknown, steps: 1 | -1): Promise<void> {
  const { run, trace } = targetOf(argument);
  const opened = await open.open(run);
  const here = await traceOf(opened, trace);
  const all = await groupOf(opened, here);
  const at = all.findIndex(({ id }) => id === trace);
  const next = all[(at + steps + all.length) % all.length];
  if (next === undefined || next.id === trace) {
    void vscode.window.showInformationMessage(vscode.l10n.t('This is the only attempt at the task in this epoch.'));
    return;
  }
  const place = await placeIn(traces, run, trace);
  const document = await vscode.workspace.openTextDocument(traceUri(run, next.id));
  const laidOut = await traces.layoutOf(document);
  const editor = await vscode.window.showTextDocument(document, { preview: true });
  if (place === null || laidOut === null) return;
  const cursor = new vscode.Position(lineOfPlace(laidOut, place.cursor), place.cursor.character);
  editor.selection = new vscode.Selection(cursor, cursor);
  led = { trace: next.id, top: place.top };
  toTop(editor, lineOfPlace(laidOut, place.top));
}

/** Asks for another attempt at the same task and shows both in the diff editor. */
export async function compareAttempt(
  { open, traces, catalog }: AttemptsDeps & { catalog: Pick<RunCatalog, 'get'> },
  argument: unknown,
): Promise<void> {
  const { run, trace } = targetOf(argument);
  const opened = await open.open(run);
  const here = await traceOf(opened, trace);
  const others = await othersOf(opened, here);
  if (others.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('There is no other attempt at this task in the run.'));
    return;
  }
  const items = others.map((other) => ({
    label: `${icon(other)} ${attemptName(other.id)}`,
    description: parts(
      vscode.l10n.t('epoch {0}', count(other.epoch)),
      judgedWord(other.verdict),
      vscode.l10n.t('reward {0}', rate(other.verdict.reward)),
    ),
    detail: startOf(answerOf(other.messages), 160),
    other,
  }));
  const title = vscode.l10n.t('Compare {0} with which attempt?', trace);
  const picked = await vscode.window.showQuickPick(items, { title, matchOnDescription: true, matchOnDetail: true });
  if (picked === undefined) return;
  const place = await placeIn(traces, run, trace);
  const other = await vscode.workspace.openTextDocument(traceUri(run, picked.other.id));
  const laidOut = await traces.layoutOf(other);
  const line =
    place === null || laidOut === null ? 0 : lineOfPlace(laidOut, place.isAtCursor ? place.cursor : place.top);
  await showDifference({ run, name: nameInTitles(run, catalog) }, trace, picked.other.id, line);
}

/** Two traces of a run in the diff editor, called by its name. @param line of the right one, to begin at */
export async function showDifference(
  { run, name }: { run: string; name: string },
  left: string,
  right: string,
  line = 0,
): Promise<void> {
  const title = `${left} ↔ ${right} · ${name}`;
  const options = line === 0 ? {} : { selection: new vscode.Range(line, 0, line, 0) };
  await vscode.commands.executeCommand('vscode.diff', traceUri(run, left), traceUri(run, right), title, options);
}

/** Of the same epoch first, then the newest. */
async function othersOf(run: OpenRun, here: Trace): Promise<Trace[]> {
  const { reader } = run.followed;
  const epochs = (await reader.epochsAttempting(here.task)).sort((a, b) => b - a);
  const ordered = [here.epoch, ...epochs.filter((epoch) => epoch !== here.epoch)];
  const all = await Promise.all(ordered.map((epoch) => attemptsOf(run, { task: here.task, epoch })));
  const people = (await playsAt(run, here.task)).map(({ trace }) => trace);
  return [...people, ...all.flat()].filter(({ id }) => id !== here.id);
}

const icon = ({ verdict }: Trace): string =>
  verdict.error !== undefined ? '$(question)' : verdict.success ? '$(check)' : '$(x)';

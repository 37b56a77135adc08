/** Opens a trace or task and selects the match. */
import * as vscode from 'vscode';
import { rangesOf } from '../../../host/documents/layout/longText.ts';
import { marksOf, type LaidOut, type Part } from '../../../host/documents/layout/page.ts';
import { taskUri, textUri, traceUri } from '../../../host/documents/layout/place.ts';
import type { RecordFiles } from '../../../host/documents/recordFiles.ts';
import { knownTask, traceOf } from '../../../host/documents/reading.ts';
import type { OpenRun } from '../../../host/trees/openRun.ts';
import type { OpenRuns } from '../../../host/trees/openRuns.ts';
import { allSaid } from '../../../shared/records/conversations.ts';
import type { Message } from '../../../shared/records/message.ts';
import type { RunDir } from '../../../host/runs/runs.ts';
import type { SearchHit, SearchMatch } from '../contract/searchHit.ts';

export interface OpenMatchNeeds {
  open: OpenRuns;
  tasks: Pick<RecordFiles, 'layoutOf'>;
  traces: Pick<RecordFiles, 'layoutOf'>;
}

/** @throws RunError, InputError; Error when the record is gone */
export async function openMatch(
  run: RunDir,
  hit: SearchHit,
  match: SearchMatch | null,
  { open, tasks, traces }: OpenMatchNeeds,
): Promise<void> {
  const opened = await open.open(run);
  const trace = hit.kind === 'trace' ? hit.trace : hit.readIn;
  const said = hit.kind === 'trace' ? 'turn' : 'message';
  const messages = await messagesOf(opened, hit);
  const uri = trace === undefined ? taskUri(run, hit.task) : traceUri(run, trace);
  const document = await vscode.workspace.openTextDocument(uri);
  const files = trace === undefined ? tasks : traces;
  const laidOut = await files.layoutOf(document);
  const text = match === null ? null : (messages[match.turn]?.[match.of] ?? null);
  const place = match === null || text === null || laidOut === null ? null : placeOfMatch(laidOut, match, text, said);
  if (place === null) await vscode.window.showTextDocument(uri, { preview: true });
  else if (place === 'elided' && match !== null && text !== null) await showInRange(uri, match, text, said, files);
  else if (place !== 'elided') await reveal(uri, place);
}

/** Those that the matches are of. @throws as `openMatch` */
async function messagesOf(opened: OpenRun, hit: SearchHit): Promise<readonly Message[]> {
  if (hit.kind === 'trace') return allSaid(await traceOf(opened, hit.trace));
  const asked = hit.readIn === undefined ? undefined : (await traceOf(opened, hit.readIn)).asked;
  return asked ?? (await knownTask(opened, hit.task)).prompt;
}

async function reveal(uri: vscode.Uri, place: MatchPlace): Promise<void> {
  const selection = new vscode.Range(place.line, place.column, place.endLine, place.endColumn);
  const editor = await vscode.window.showTextDocument(uri, { preview: true, selection });
  editor.revealRange(selection, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

/** Opens the range of a long text in which a match begins. */
async function showInRange(
  record: vscode.Uri,
  match: SearchMatch,
  text: string,
  said: 'turn' | 'message',
  files: Pick<RecordFiles, 'layoutOf'>,
): Promise<void> {
  const of = said === 'turn' && match.of === 'reasoning' ? 'reasoning' : said;
  const from = rangesOf(text).findLast((start) => start <= match.start) ?? 0;
  const uri = textUri(record, { of, at: match.turn, from });
  const laidOut = await files.layoutOf(await vscode.workspace.openTextDocument(uri));
  const first = laidOut?.parts[0]?.first ?? 0;
  const within = { start: match.start - from, end: match.end - from };
  await reveal(uri, placeWithin(text.slice(from, match.end), within, first, 0));
}

/** Lines and columns of a document, from 0. */
interface MatchPlace {
  line: number;
  column: number;
  endLine: number;
  endColumn: number;
}

/**
 * A match's place in the document of its record; null when the document has no such turn.
 * @param text the searched text, which the document shows line by line, indented, at the end of its part
 */
function placeOfMatch(
  laidOut: LaidOut,
  match: SearchMatch,
  text: string,
  said: 'turn' | 'message',
): MatchPlace | 'elided' | null {
  const kinds = said === 'turn' ? ['turn', 'final'] : ['message'];
  const turn = all(laidOut.parts).filter(({ kind }) => kinds.includes(kind))[match.turn];
  const part = match.of === 'content' ? turn : turn?.parts.find(({ kind }) => kind === 'reasoning');
  if (part === undefined) return null;
  const ends = marksOf(laidOut, 'elided').some(({ line }) => line === part.last);
  if (ends) return 'elided';
  const first = part.last - (text.split('\n').length - 1);
  return placeWithin(text, match, first, match.of === 'content' ? 2 : 4);
}

/** @param first the line in which the text begins @param indent by how much its lines are set in */
function placeWithin(
  text: string,
  match: Pick<SearchMatch, 'start' | 'end'>,
  first: number,
  indent: number,
): MatchPlace {
  const at = (offset: number): { line: number; column: number } => {
    const before = text.slice(0, offset).split('\n');
    return { line: first + before.length - 1, column: (before.at(-1) ?? '').length + indent };
  };
  const [start, end] = [at(match.start), at(match.end)];
  return { ...start, endLine: end.line, endColumn: end.column };
}

const all = (parts: readonly Part[]): Part[] => parts.flatMap((part) => [part, ...all(part.parts)]);

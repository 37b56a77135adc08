/** Outline, breadcrumbs and folding of a document: its parts. */
import * as vscode from 'vscode';
import { startOf } from './messages.ts';
import { marksOf, type LaidOut, type Mark, type Part } from './page.ts';

const kinds: Record<Part['kind'], vscode.SymbolKind> = {
  document: vscode.SymbolKind.File,
  section: vscode.SymbolKind.Namespace,
  message: vscode.SymbolKind.String,
  turn: vscode.SymbolKind.Method,
  final: vscode.SymbolKind.Event,
  reasoning: vscode.SymbolKind.String,
  tool: vscode.SymbolKind.Function,
  attempt: vscode.SymbolKind.Object,
};

/** Every part under its parent; a turn holds its calls. */
export function symbolsOf(laidOut: LaidOut): vscode.DocumentSymbol[] {
  const lines = laidOut.text.split('\n');
  const lineRange = (first: number, last: number): vscode.Range =>
    new vscode.Range(first, 0, last, lines[last]?.length ?? 0);
  const calls = marksOf(laidOut, 'call');
  const callsIn = ({ first, last }: Part): vscode.DocumentSymbol[] =>
    calls.slice(firstFrom(calls, first), firstFrom(calls, last + 1)).map(({ line, start, end, means }) => {
      const range = new vscode.Range(line, start, line, end);
      const detail = startOf((lines[line] ?? '').slice(start, end));
      return new vscode.DocumentSymbol(means.tool.name, detail, vscode.SymbolKind.Function, range, range);
    });
  const symbol = (part: Part): vscode.DocumentSymbol => {
    const { kind, title, detail, first, last, parts } = part;
    const range = lineRange(first, last);
    const made = new vscode.DocumentSymbol(title, detail, kinds[kind], range, lineRange(first, first));
    const spoken = kind === 'turn' || kind === 'final';
    made.children = [...parts.map(symbol), ...(spoken ? callsIn(part) : [])];
    return made;
  };
  return laidOut.parts.map(symbol);
}

/** Place of the first mark in this line or below it. */
function firstFrom(marks: readonly Pick<Mark, 'line'>[], line: number): number {
  let [low, high] = [0, marks.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((marks[middle]?.line ?? 0) < line) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Every part of several lines. The editor has one kind of range that it folds by itself when a document opens: imports
 * (`editor.foldingImportsByDefault`, on for our language).
 */
export function foldsOf({ parts }: Pick<LaidOut, 'parts'>): vscode.FoldingRange[] {
  return parts.flatMap((part) => [
    ...(part.last > part.first ? [new vscode.FoldingRange(part.first, part.last, kindOf(part))] : []),
    ...foldsOf(part),
  ]);
}

const kindOf = ({ folded }: Part): vscode.FoldingRangeKind | undefined =>
  folded ? vscode.FoldingRangeKind.Imports : undefined;

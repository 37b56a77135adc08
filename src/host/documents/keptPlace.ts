/** A reader's place in a document, found again in another attempt's: the same section, the same turn. */
import type * as vscode from 'vscode';
import { marksOf, type LaidOut, type Part } from './layout/page.ts';

export interface KeptPlace {
  /** Title of the section; null above the first. */
  section: string | null;
  /** The turn, from 0; null outside of turns. */
  turn: number | null;
  /** Lines below the first one of the turn, or of the section. */
  below: number;
}

const sectionAt = ({ parts }: LaidOut, line: number): Part | undefined =>
  parts.findLast(({ kind, first }) => kind === 'section' && first <= line);

/** Turns of a section, in the order they stand. */
const turnsIn = (laidOut: LaidOut, { first, last }: Part): { line: number; turn: number }[] =>
  marksOf(laidOut, 'turn')
    .filter(({ line }) => line >= first && line <= last)
    .map(({ line, means }) => ({ line, turn: means.turn }));

export function placeAt(laidOut: LaidOut, line: number): KeptPlace {
  const section = sectionAt(laidOut, line);
  if (section === undefined) return { section: null, turn: null, below: line };
  const at = turnsIn(laidOut, section).findLast((one) => one.line <= line);
  return { section: section.title, turn: at?.turn ?? null, below: line - (at?.line ?? section.first) };
}

/** The line of a place; the nearest one above it where this document is shorter. */
export function lineOfPlace(laidOut: LaidOut, { section: title, turn, below }: KeptPlace): number {
  const section = title === null ? undefined : laidOut.parts.find((part) => part.title === title);
  if (section === undefined) {
    const head = laidOut.parts[0];
    return title === null ? Math.min(below, head?.last ?? 0) : 0;
  }
  const turns = turnsIn(laidOut, section);
  const at = turn === null ? -1 : turns.findLastIndex((one) => one.turn <= turn);
  const first = turns[at]?.line ?? section.first;
  const next = turns[at + 1]?.line;
  const last = at === -1 || next === undefined ? section.last : next - 1;
  return Math.min(first + below, Math.max(first, last));
}

/** Places of an editor: its first line on screen, and its cursor. */
export interface ReaderPlace {
  top: KeptPlace;
  cursor: KeptPlace & { character: number };
  /** The cursor is on screen: it is where the reader is. */
  isAtCursor: boolean;
}

export function readerPlace(laidOut: LaidOut, editor: vscode.TextEditor): ReaderPlace {
  const { line, character } = editor.selection.active;
  const top = editor.visibleRanges[0]?.start.line ?? 0;
  return {
    top: placeAt(laidOut, top),
    cursor: { ...placeAt(laidOut, line), character },
    isAtCursor: editor.visibleRanges.some(({ start, end }) => start.line <= line && line <= end.line),
  };
}

import * as l10n from '@vscode/l10n';
import type { JournalEvent } from '../../shared/journal/events.ts';
import { ClusteredRates } from '../facts/clusteredRates.ts';
import { lineBatches, readRange, type Line } from '../files/jsonLines.ts';
import { eventOf } from './eventLine.ts';
import { isJson } from '../files/longLine.ts';
import { parseJson, validate, type Place } from '../files/parseLine.ts';
import { RunError } from '../store/runError.ts';
import { sessionEventSchema, sessionVersion, type SessionEvent } from './sessionEvent.ts';

/** An event and the place of its line in the file, newline included. */
export interface PlacedEvent {
  event: JournalEvent;
  start: number;
  end: number;
}

/** Where reading a journal continues: after the last event read. */
export interface JournalPosition {
  /** In bytes. */
  offset: number;
  /** Lines before it. */
  lines: number;
  /** Sequence number that must come next; null at the start, where any may. */
  seq: number | null;
}

export const journalStart: JournalPosition = { offset: 0, lines: 0, seq: null };

/** The position after an event. */
export const positionAfter = ({ event, end }: PlacedEvent, before: JournalPosition): JournalPosition => ({
  offset: end,
  lines: before.lines + 1,
  seq: event.seq + 1,
});

/**
 * Whole lines, parsed and validated. The last line may be a crashed writer's: without a newline, or invalid JSON. It is
 * skipped; the next writer cuts it.
 */
async function* linesOf<T>(
  path: string,
  parse: (bytes: Buffer, place: Place) => T | Promise<T>,
  from: Pick<JournalPosition, 'offset' | 'lines'> = journalStart,
): AsyncGenerator<{ value: T; line: Line }> {
  const valueOf = ({ bytes, number }: Line): T | Promise<T> => parse(bytes, { path, line: number + 1 });
  let held: Line | null = null;
  for await (const batch of lineBatches(path, { offset: from.offset, number: from.lines })) {
    for (const line of batch) {
      // Only now is it known not to be the last one.
      if (held !== null) yield { value: await valueOf(held), line: held };
      held = line;
    }
  }
  if (held !== null && (await isJson(held.bytes))) yield { value: await valueOf(held), line: held };
}

/**
 * The events of a journal, or those from a position on.
 * @throws RunError `format`, `version`, `unreadable`, with file, line and field
 */
export async function* readJournal(path: string, from = journalStart): AsyncGenerator<PlacedEvent> {
  let expected = from.seq;
  const rates = new ClusteredRates();
  for await (const { value: event, line } of linesOf(path, eventOf, from)) {
    if (expected !== null && event.seq !== expected) {
      throw new RunError('format', {
        path,
        line: line.number + 1,
        field: 'seq',
        what: l10n.t('event {0} where {1} should follow: a line is missing or was written twice', event.seq, expected),
        remedy: l10n.t('Restore the file from a copy, or remove the run; nothing was changed.'),
      });
    }
    expected = event.seq + 1;
    yield { event: rates.of(event), start: line.offset, end: line.offset + line.bytes.byteLength + 1 };
  }
}

const sessionOf = (bytes: Buffer, place: Place): SessionEvent =>
  validate(parseJson(bytes.toString(), place), sessionEventSchema, sessionVersion, place);

/** @throws RunError `format`, `version`, `unreadable` */
export async function readSessions(path: string): Promise<SessionEvent[]> {
  const events: SessionEvent[] = [];
  for await (const { value } of linesOf(path, sessionOf)) events.push(value);
  return events;
}

/** The event at that line. @throws RunError `format`, `version`, `unreadable` */
export async function readEventAt(path: string, place: Pick<PlacedEvent, 'start' | 'end'>): Promise<JournalEvent> {
  return new ClusteredRates().of(await eventOf(await readRange(path, place.start, place.end - 1), { path }));
}

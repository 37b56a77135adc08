/** One line of a journal as an event; of a long one the families a piece at a time, others being let in between. */
import * as z from 'zod';
import { append } from '../../shared/append.ts';
import { isObject } from '../../shared/experiment/resolve.ts';
import { eventSchema, journalVersion, type FamilyScore, type JournalEvent } from '../../shared/journal/events.ts';
import { familyScoreSchema } from '../../shared/journal/scores.ts';
import { Breather } from '../files/breather.ts';
import { isLong } from '../files/longLine.ts';
import { parseBytes, parseJson, validate, type Place } from '../files/parseLine.ts';

const familiesSchema = z.array(familyScoreSchema);
/** Families validated at once: a millisecond or two. */
const piece = 500;

/** @throws RunError `format`, `version` */
export async function eventOf(bytes: Buffer, place: Place): Promise<JournalEvent> {
  const whole = (value: unknown): JournalEvent => validate(value, eventSchema, journalVersion, place);
  if (!isLong(bytes)) return whole(parseJson(bytes.toString(), place));
  const breather = new Breather();
  const value = await parseBytes(bytes, place);
  if (!isObject(value) || !Array.isArray(value['families'])) return whole(value);
  const families: FamilyScore[] = [];
  for (let from = 0; from < value['families'].length; from += piece) {
    const parsed = familiesSchema.safeParse(value['families'].slice(from, from + piece));
    // It says which family, and which field of it.
    if (!parsed.success) return whole(value);
    append(families, parsed.data);
    await breather.breathe();
  }
  const event = whole({ ...value, families: [] });
  if (event.type !== 'families.scored') return whole(value);
  await breather.breathe();
  return { ...event, families };
}

/** Dates and times of day, for people. */
import { languageOfFigures } from './notation.ts';

const forms = {
  /** `Nov 21, 2026, 9:30 AM` */
  moment: { dateStyle: 'medium', timeStyle: 'short' },
  /** `Nov 21, 2026, 09:30`: of one width, for rows. */
  row: { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  /** `09:30:05` */
  time: { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

/** Made with their first use: loading a language's data takes long enough to be felt in an activation. */
const made = new Map<string, Intl.DateTimeFormat>();

function written(at: string | number, form: keyof typeof forms): string {
  const language = languageOfFigures();
  const key = `${form} ${language}`;
  const format = made.get(key) ?? new Intl.DateTimeFormat([language, 'en'], forms[form]);
  made.set(key, format);
  return format.format(new Date(at));
}

/** @param at an ISO date, or milliseconds since 1970 */
export const moment = (at: string | number): string => written(at, 'moment');
export const rowMoment = (at: string | number): string => written(at, 'row');
export const timeOfDay = (at: string | number): string => written(at, 'time');

/** Minutes from local time to UTC at a moment, milliseconds since 1970: it is not the same in summer and winter. */
export type TimezoneOffset = (at: number) => number;

/** `2026-11-21 12:38` in a time zone: the same on every machine, for output that is compared and searched. */
export function localMoment(iso: string, offset: TimezoneOffset): string {
  const at = Date.parse(iso);
  return new Date(at - offset(at) * 60_000).toISOString().slice(0, 16).replace('T', ' ');
}

/** `21 November 2026 at 09:30`: of reports, which are English and read everywhere. */
export const reportMoment = (at: string | number): string =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short' }).format(new Date(at));

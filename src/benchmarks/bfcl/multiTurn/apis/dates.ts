/** Days and moments without a time zone, as Python's `datetime` reads and writes them. A moment counts seconds. */
import { PythonFault } from '../../python/fault.ts';
import { kindOf, type Value } from '../../python/value.ts';
import type { CalendarDay } from '../api.ts';

export const instantOf = ({ year, month, day }: CalendarDay, second: number): number => {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getTime() / 1000 + second;
};

export const dayStart = (day: CalendarDay): number => instantOf(day, 0);

/** `%Y-%m-%d %H:%M:%S`. */
export const momentText = (moment: number): string =>
  new Date(moment * 1000).toISOString().slice(0, 19).replace('T', ' ');

const dayPattern = /^(\d{4})-(1[0-2]|0[1-9]|[1-9])-(3[01]|[12]\d|0[1-9]|[1-9]| [1-9])$/;
const momentPattern =
  /^(\d{4})-(1[0-2]|0[1-9]|[1-9])-(3[01]|[12]\d|0[1-9]|[1-9]| [1-9])\s+(2[0-3]|[01]\d|\d):([0-5]\d|\d):(6[01]|[0-5]\d|\d)$/;

/** `strptime(value, '%Y-%m-%d')`. @throws PythonFault */
export function parseDay(value: Value): CalendarDay {
  const parts = matched(value, dayPattern, '%Y-%m-%d');
  return dayOf(parts);
}

/** `strptime(value, '%Y-%m-%d %H:%M:%S')`. @throws PythonFault */
export function parseMoment(value: Value): number {
  const parts = matched(value, momentPattern, '%Y-%m-%d %H:%M:%S');
  const [hour = 0, minute = 0, second = 0] = parts.slice(3);
  return instantOf(dayOf(parts), hour * 3600 + minute * 60 + second);
}

function matched(value: Value, pattern: RegExp, format: string): number[] {
  if (typeof value !== 'string') {
    throw new PythonFault('type', `strptime() argument 1 must be str, not ${kindOf(value)}`);
  }
  const found = pattern.exec(value);
  if (found === null) throw new PythonFault('value', `time data '${value}' does not match format '${format}'`);
  return found.slice(1).map(Number);
}

function dayOf([year = 0, month = 0, day = 0]: readonly number[]): CalendarDay {
  if (year === 0) throw new PythonFault('value', 'year 0 is out of range');
  if (day > new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate()) {
    throw new PythonFault('value', 'day is out of range for month');
  }
  return { year, month, day };
}

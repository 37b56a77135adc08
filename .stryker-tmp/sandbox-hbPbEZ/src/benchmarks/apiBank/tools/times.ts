/** Times as Python's `strptime` reads them, and the forms that the tools bring them into first. */
import { space, strip } from '../../python/text.ts';
import { ToolFault } from './faults.ts';

const parts = {
  Y: '(\\p{Nd}{4})',
  m: '(1[0-2]|0[1-9]|[1-9])',
  d: '(3[0-1]|[1-2]\\p{Nd}|0[1-9]|[1-9]| [1-9])',
  time: `[${space}]+(2[0-3]|[0-1]\\p{Nd}|\\p{Nd}):([0-5]\\p{Nd}|\\p{Nd}):(6[0-1]|[0-5]\\p{Nd}|\\p{Nd})`,
};

const formats = {
  '%Y-%m-%d %H:%M:%S': new RegExp(`^${parts.Y}-${parts.m}-${parts.d}${parts.time}`, 'u'),
  '%Y-%m-%d': new RegExp(`^${parts.Y}-${parts.m}-${parts.d}`, 'u'),
  '%m-%d': new RegExp(`^${parts.m}-${parts.d}`, 'u'),
};

type Format = keyof typeof formats;

/** Numbers of a time in the order of its format; days and months within their ranges. */
type Time = readonly number[];

/** @throws ToolFault with what Python says of a text of another form */
function readTime(text: string, format: Format): Time {
  const found = formats[format].exec(text);
  if (found === null) throw new ToolFault(`time data '${text}' does not match format '${format}'`);
  if (found[0].length < text.length) throw new ToolFault(`unconverted data remains: ${text.slice(found[0].length)}`);
  const numbers = found.slice(1).map((digits) => Number(asciiDigits(digits)));
  const [year = 0, month = 0, day = 0, , , second = 0] = format === '%m-%d' ? [1900, ...numbers] : numbers;
  if (year === 0) throw new ToolFault('year 0 is out of range');
  if (day > daysIn(year, month)) throw new ToolFault('day is out of range for month');
  if (second > 59) throw new ToolFault('second must be in 0..59');
  return numbers;
}

const daysIn = (year: number, month: number): number => {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  if (month === 2) return isLeap ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
};

const digit = /\p{Nd}/gu;
/** Digits of any script as ASCII has them: each script's ten stand in a row. */
export const asciiDigits = (text: string): string =>
  text.replace(digit, (one) => {
    const point = one.codePointAt(0) ?? 0;
    let zero = point;
    while (point - zero < 9 && /^\p{Nd}$/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
    return String(point - zero);
  });

/** @throws ToolFault unless it is a time to the second */
export function checkTime(text: string): void {
  readTime(text, '%Y-%m-%d %H:%M:%S');
}

/** Milliseconds of a day, to compare by. @throws ToolFault */
export function dayOf(text: string): number {
  const [year = 0, month = 0, day = 0] = readTime(text, '%Y-%m-%d');
  return Date.UTC(year, month - 1, day);
}

/** A year of fewer than four digits gets zeros in front. */
function padYear(text: string): string {
  const [year = '', ...rest] = strip(text).split('-');
  return [rest.length === 2 ? year.padStart(4, '0') : year, ...rest].join('-');
}

const two = (number: number | undefined): string => String(number).padStart(2, '0');

/** `2023-4-1` as `2023-04-01`. @throws ToolFault */
export function tidyDate(text: string): string {
  const [year, month, day] = readTime(padYear(text), '%Y-%m-%d');
  return `${year}-${two(month)}-${two(day)}`;
}

/** `2023-4-1 9:5:0` as `2023-04-01 09:05:00`. @throws ToolFault */
export function tidyTime(text: string): string {
  const [year, month, day, hour, minute, second] = readTime(padYear(text), '%Y-%m-%d %H:%M:%S');
  // Four digits, so that texts compare as times do.
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)} ${two(hour)}:${two(minute)}:${two(second)}`;
}

/** The day in the year, of a date with a year or without: `04-01`. @throws ToolFault */
export function dayInYear(text: string): string {
  const padded = padYear(text);
  try {
    const [, month, day] = readTime(padded, '%Y-%m-%d');
    return `${two(month)}-${two(day)}`;
  } catch (error) {
    if (!(error instanceof ToolFault)) throw error;
    const [month, day] = readTime(padded, '%m-%d');
    return `${two(month)}-${two(day)}`;
  }
}

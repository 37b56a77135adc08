/** Times that things took, for people. */
import { fixed } from './numbers.ts';

/** `2.5 s`, `1 min 40 s`, `3 h 05 min` */
export function duration(seconds: number): string {
  if (seconds < 9.95) return `${fixed(seconds, 1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${twoDigits(whole % 60)} s`;
  return hours(Math.round(seconds / 60));
}

/** `40 s`, `12 min`, `3 h 05 min`: an estimate has no more digits. */
export function aboutDuration(seconds: number): string {
  if (seconds < 59.5) return `${Math.max(1, Math.round(seconds))} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : hours(minutes);
}

const hours = (minutes: number): string => `${Math.floor(minutes / 60)} h ${twoDigits(minutes % 60)} min`;
const twoDigits = (value: number): string => String(value).padStart(2, '0');

import type { OpenStudy } from './openStudy.ts';

const none: ReadonlyMap<string, string> = new Map();

/** Arms that racing ended, and why. Without racing all arms run to their end, also those that it ended before. */
export const endedArms = ({ study, folder }: Pick<OpenStudy, 'study' | 'folder'>): ReadonlyMap<string, string> =>
  study.stop === null ? none : folder.dropped;

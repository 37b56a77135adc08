/** Tasks of a file that a run does not use, in a sentence. */
import * as l10n from '@vscode/l10n';
import type { LeftOut } from './records/taskFile.ts';
import { count } from './text/figures/numbers.ts';

export interface LeftOutTasks {
  /** As the experiment names it. */
  file: string;
  /** The tasks that can be used. */
  tasks: number;
  leftOut: readonly LeftOut[];
}

/** Hears of every file with some. */
export type OnLeftOut = (found: LeftOutTasks) => void;

/** Tasks of each kind that are named. */
const named = 3;

const kinds: Record<LeftOut['why'], (many: string, names: string) => string> = {
  twice: (many, names) => l10n.t('{0} twice ({1})', many, names),
  rejected: (many, names) => l10n.t('{0} rejected ({1})', many, names),
  'held-out': (many, names) => l10n.t('{0} held out ({1})', many, names),
  unfit: (many, names) => l10n.t('{0} unfit ({1})', many, names),
};

/** How many can be used, and which cannot. */
export function leftOutSentence({ file, tasks, leftOut }: LeftOutTasks): string {
  const parts = [...Map.groupBy(leftOut, ({ why }) => why)].map(([why, some]) => {
    const names = some.slice(0, named).map(({ name }) => name);
    return kinds[why](count(some.length), [...names, ...(some.length > named ? ['…'] : [])].join(', '));
  });
  const all = count(tasks + leftOut.length);
  return l10n.t('{0}: {1} of {2} tasks can be used. Left out: {3}.', file, count(tasks), all, parts.join('; '));
}

/** The same for a log or a terminal, after the place of the first. */
export function leftOutLine(found: LeftOutTasks): string {
  const [first] = found.leftOut;
  const { file, line } = first ?? { file: found.file, line: 1 };
  return leftOutSentence({ ...found, file: `${file}:${line}` });
}

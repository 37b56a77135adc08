/** The ids of a file's tasks: as its lines have them, and as a run has them. */
import type { Task } from './task.ts';

const origins = ['base', 'offline', 'validation'] as const;

/** Ids of a run's own tasks begin with their epoch; a prefix keeps tasks from elsewhere apart from them. */
export const idInRun = (id: string, origin: (typeof origins)[number]): string =>
  id.startsWith(`${origin}.`) ? id : `${origin}.${id}`;

/** The ids that a file's task may have in runs: two tasks that share one of them are refused there. */
export const idsInRuns = (id: string): string[] => origins.map((origin) => idInRun(id, origin));

/**
 * The id that a run's task has in its file, without the prefixes of `idInRun` and of one domain among several. The same
 * for ids of a file that a run cannot tell apart: `a` and `base.a`. Other ids stay as they are.
 */
export function idInFile({ id, domain }: Pick<Task, 'id' | 'domain'>): string {
  const own = domain !== undefined && id.startsWith(`${domain}.`) ? id.slice(domain.length + 1) : id;
  const origin = origins.find((one) => own.startsWith(`${one}.`));
  return origin === undefined || own.length === origin.length + 1 ? id : own.slice(origin.length + 1);
}

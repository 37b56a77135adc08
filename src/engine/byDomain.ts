/** Figures of a run of several domains: shares of a count, and one entry a domain. */
import { apportion } from '../shared/apportion.ts';
import type { DomainPart } from '../shared/experiment/tasks/domains.ts';
import type { Task } from '../shared/records/task.ts';
import { outOfRange } from '../shared/outOfRange.ts';

type Domains = readonly DomainPart[] | null;

/** An event's figures by domain; no member where the run has one domain. */
export function figuresOf<T extends object>(
  domains: Domains,
  of: (domain: string) => T,
): { domains?: ({ domain: string } & T)[] } {
  return domains === null ? {} : { domains: domains.map(({ name }) => ({ domain: name, ...of(name) })) };
}

/** How many of `count` each domain gets, by its share. */
export const partsOf = (domains: readonly DomainPart[], count: number): number[] =>
  apportion(
    count,
    domains.map(({ share }) => share),
  );

/** The tasks of one domain. */
export const tasksOfDomain = <T extends Pick<Task, 'domain'>>(tasks: readonly T[], name: string): T[] =>
  tasks.filter(({ domain }) => domain === name);

/** Lists as one, each spread evenly over it, so that every stretch holds them in proportion. */
export function interleaved<T>(lists: readonly (readonly T[])[]): T[] {
  return lists
    .flatMap((list, part) => list.map((item, i) => ({ item, part, at: (i + 0.5) / list.length })))
    .sort((a, b) => a.at - b.at || a.part - b.part)
    .map(({ item }) => item);
}

/**
 * Draws `count` tasks with `draw`: from each domain by its share and by its own random stream, spread evenly.
 * @param draw gets the tasks of one domain, their number, and the end of the stream's name
 */
export function drawnByShare<T>(
  domains: Domains,
  tasks: readonly Task[],
  count: number,
  draw: (some: readonly Task[], count: number, stream: readonly string[]) => readonly T[],
): T[] {
  if (domains === null) return [...draw(tasks, count, [])];
  const counts = partsOf(domains, count);
  return interleaved(domains.map(({ name }, i) => draw(tasksOfDomain(tasks, name), counts[i] ?? outOfRange(), [name])));
}

/** The held-out tasks that a run attempts: the first of each domain's, as many as its share of `validation.tasks`. */
export function validationTasks(all: readonly Task[], domains: Domains, most: number): Task[] {
  if (domains === null) return all.slice(0, most);
  return domains.flatMap((part) => tasksOfDomain(all, part.name).slice(0, part.validationTasks));
}

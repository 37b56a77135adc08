/** Tasks that a domain file or an adapter gives: the run reads them as a task file that no person wrote. */
import type { Place, Problem } from '../../shared/experiment/problems/problem.ts';
import type { LeftOut } from '../../shared/records/taskFile.ts';

export interface ProgramTasks {
  /** One line a task, as in a task file. */
  text: string;
  /** The task of each line: where a person finds it, and how messages name it. */
  given: readonly GivenTask[];
  /** Records that became no task. */
  leftOut: readonly LeftOut[];
}

interface GivenTask {
  place: Place;
  name: string;
}

/** How messages name the task of a line, from 1; undefined for tasks of a file. */
export const namesOf = (program: ProgramTasks | null): ((line: number) => string) | undefined =>
  program === null ? undefined : (line) => program.given[line - 1]?.name ?? String(line);

/** A problem of a line, at the place of its task. */
export function atGiven<P extends Problem>(problem: P, program: ProgramTasks | null): P {
  const task = program?.given[problem.line - 1];
  if (task === undefined) return problem;
  const name = task.name.charAt(0).toUpperCase() + task.name.slice(1);
  return { ...problem, ...task.place, message: `${name}: ${problem.message}` };
}

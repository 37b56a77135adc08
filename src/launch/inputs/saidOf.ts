import type { Problem } from '../../shared/experiment/problems/problem.ts';
import { atDomain } from '../../shared/experiment/tasks/atDomain.ts';
import type { DomainPart } from '../../shared/experiment/tasks/domains.ts';
import { InputError } from './inputError.ts';

/** Work on one domain of an experiment: its faults are reported at that domain's field. */
export async function saidOf<T>(part: Pick<DomainPart, 'field'>, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError(error.problems.map((problem) => atPart(problem, part)));
  }
}

/** A problem at the fields of one domain. */
export function atPart<P extends Problem>(problem: P, { field }: Pick<DomainPart, 'field'>): P {
  if (field === 'domain') return problem;
  const here = (text: string): string => atDomain(text, { field });
  const { field: own, message, remedy } = problem;
  return { ...problem, field: here(own), message: here(message), remedy: here(remedy) };
}

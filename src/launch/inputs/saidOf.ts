import { atDomain } from '../../shared/experiment/tasks/atDomain.ts';
import type { DomainPart } from '../../shared/experiment/tasks/domains.ts';
import { InputError } from './inputError.ts';

/** Work on one domain of an experiment: its faults are reported at that domain's field. */
export async function saidOf<T>({ field }: Pick<DomainPart, 'field'>, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof InputError) || field === 'domain') throw error;
    const here = (text: string): string => atDomain(text, { field });
    throw new InputError(
      error.problems.map(({ field: own, message, remedy, ...place }) => ({
        ...{ ...place, field: here(own), message: here(message), remedy: here(remedy) },
      })),
    );
  }
}

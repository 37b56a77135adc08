import { atDomain } from '../tasks/atDomain.ts';
import { domainsOf, withDomain } from '../tasks/domains.ts';
import type { Experiment } from '../schema.ts';
import type { Check, Contradiction } from './contradiction.ts';

/** Findings in each domain of an experiment, placed where the file defines that domain. */
export function ofEachDomain(experiment: Experiment, checks: readonly Check[]): Contradiction[] {
  return domainsOf(experiment).flatMap((part) => {
    const here = (text: string): string => atDomain(text, part);
    const alone = withDomain(experiment, part);
    return checks.flatMap((check) => {
      const found = check(alone);
      if (found === null) return [];
      const { fields, message, remedy, severity } = found;
      return [{ fields: fields.map(here), message: here(message), remedy: here(remedy), severity }];
    });
  });
}

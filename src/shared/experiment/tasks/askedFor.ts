/** Further requests for a text, as far as the names of an experiment's domains tell: a file may have either. */
import { domainsOf } from './domains.ts';

type Domains = Parameters<typeof domainsOf>[0];

const someNamed = (experiment: Domains, names: readonly string[]): boolean =>
  domainsOf(experiment).some(({ settings: { name } }) => names.includes(name));

/** Whether the environment may write a plan first. */
export const mayPlan = (experiment: Domains): boolean => someNamed(experiment, ['storekeeper', 'file']);

/** Whether golds may be checked by independent answers, since nothing executes them (`generation.agreementAnswers`). */
export const mayAskAgain = (experiment: Domains): boolean => someNamed(experiment, ['bamboogle', 'file']);

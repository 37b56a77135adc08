/** The domains of an experiment: one, or several with their shares of every epoch. */
import { apportion } from '../../apportion.ts';
import { domainName } from '../../domains/domainFile.ts';
import type { Experiment } from '../schema.ts';
import { outOfRange } from '../../outOfRange.ts';

type DomainSettings = Experiment['domain'];

/** One domain of a run. */
export interface DomainPart {
  /** The name of its tasks, traces and figures: the domain's own, or the file's. No spaces and no slashes. */
  name: string;
  /** 0…1; all shares sum to 1. */
  share: number;
  settings: DomainSettings;
  /** Its part of `validation.tasks`: the most held-out tasks that are attempted. */
  validationTasks: number;
  /** Its path in the experiment: `domain`, `domains[1]`. */
  field: string;
}

type Several = Pick<Experiment, 'domain' | 'domains' | 'validation'>;

/** `sums` of `path/sums.domain.ts`; a domain that comes with the program by its own name. */
const nameOf = ({ name, file }: DomainSettings): string =>
  (name === 'file' && file !== null ? domainName(file) : name).replaceAll(/\s+/g, '-');

/** Every domain in the order of the experiment, shares normalised. */
export function domainsOf({ domain, domains, validation }: Several): DomainPart[] {
  if (domains === undefined) {
    return [{ name: nameOf(domain), share: 1, settings: domain, validationTasks: validation.tasks, field: 'domain' }];
  }
  const total = domains.reduce((sum, { share }) => sum + share, 0);
  const tasks = apportion(
    validation.tasks,
    domains.map(({ share }) => share),
  );
  return domains.map(({ share, ...settings }, i) => ({
    name: nameOf(settings),
    share: share / total,
    settings,
    validationTasks: tasks[i] ?? outOfRange(),
    field: `domains[${i}]`,
  }));
}

/** The domains of a run that has several; null of one that has `domain`. */
export const severalDomains = (experiment: Several): DomainPart[] | null =>
  experiment.domains === undefined ? null : domainsOf(experiment);

/** The experiment as one of its domains sees it, as if it were the only one. */
export function withDomain(experiment: Experiment, { settings, validationTasks }: DomainPart): Experiment {
  const { domains, ...alone } = experiment;
  if (domains === undefined) return experiment;
  // One task at least, as the schema has it; the loop takes the part's own number.
  return { ...alone, domain: settings, validation: { ...alone.validation, tasks: Math.max(1, validationTasks) } };
}

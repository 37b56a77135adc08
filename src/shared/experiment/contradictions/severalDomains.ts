/** Checks of several domains in one run, against each other and against the divided counts. */
import * as l10n from '@vscode/l10n';
import { apportion } from '../../apportion.ts';
import { severalDomains } from '../tasks/domains.ts';
import type { Check } from './contradiction.ts';

export const sameDomainTwice: Check = (experiment) => {
  const domains = severalDomains(experiment) ?? [];
  for (const [i, { name, field, settings }] of domains.entries()) {
    const twin = domains.slice(0, i).find((other) => other.name === name);
    if (twin === undefined) continue;
    return {
      fields: [settings.file === null ? `${field}.name` : `${field}.file`],
      message: l10n.t(
        '{0} and {1} are both called “{2}”; tasks and figures are identified by that name.',
        twin.field,
        field,
        name,
      ),
      remedy: l10n.t('Rename one of the files, or leave one entry out and raise the share of the other.'),
      severity: 'error',
    };
  }
  return null;
};

/** The fewest of something with which every share gets one. */
function fewest(from: number, shares: readonly number[]): number {
  let total = Math.max(from, shares.length);
  while (apportion(total, shares).some((count) => count === 0)) total += 1;
  return total;
}

export const domainWithoutFamilies: Check = (experiment) => {
  const domains = severalDomains(experiment) ?? [];
  const { generation, mode } = experiment;
  if (mode === 'offline') return null;
  const shares = domains.map(({ share }) => share);
  const left = domains[apportion(generation.families, shares).indexOf(0)];
  if (left === undefined) return null;
  return {
    fields: [`${left.field}.share`, 'generation.families'],
    message: l10n.t(
      'generation.families = {0} leaves the domain “{1}” no family in any epoch.',
      generation.families,
      left.name,
    ),
    remedy: l10n.t('Raise generation.families to {0}, or its share.', fewest(generation.families, shares)),
    severity: 'error',
  };
};

export const validationWithoutDomain: Check = (experiment) => {
  const domains = severalDomains(experiment) ?? [];
  const { validation } = experiment;
  const left = validation.every === 0 ? undefined : domains.find(({ validationTasks }) => validationTasks === 0);
  if (left === undefined) return null;
  const shares = domains.map(({ share }) => share);
  return {
    fields: [`${left.field}.share`, 'validation.tasks'],
    message: l10n.t(
      'validation.tasks = {0} leaves no held-out task of the domain “{1}”: it is not measured.',
      validation.tasks,
      left.name,
    ),
    remedy: l10n.t('Raise validation.tasks to {0}.', fewest(validation.tasks, shares)),
    severity: 'warning',
  };
};

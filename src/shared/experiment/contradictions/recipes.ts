/** Checks of benchmark domains: their tasks come from files, and their recipes need a capable model. */
import * as l10n from '@vscode/l10n';
import { heldOutFile, mayBeOthers } from '../tasks/heldOut.ts';
import { drawsTasks, hasOwnTasks } from '../tasks/shippedDomains.ts';
import type { Experiment } from '../schema.ts';
import type { Check } from './contradiction.ts';

const isBenchmark = ({ domain }: Experiment): boolean => domain.name !== 'file' && !hasOwnTasks(domain);

export const benchmarkWithoutSeeds: Check = (experiment) => {
  const { domain } = experiment;
  if (!isBenchmark(experiment) || domain.seeds !== null) return null;
  return {
    fields: ['domain.seeds', 'domain.name'],
    message: l10n.t(
      'The domain {0} varies tasks of its benchmark, but domain.seeds names no file of them.',
      domain.name,
    ),
    remedy: l10n.t(
      'Write one from an adapter (Use as Seed Tasks…, or genenv check-adapter with --out), and name it here.',
    ),
    severity: 'error',
  };
};

export const heldOutOfStorekeeper: Check = ({ domain }) => {
  if (domain.name !== 'storekeeper' || domain.heldOut === null || domain.seeds !== null) return null;
  return {
    fields: ['domain.heldOut', 'domain.name'],
    message: l10n.t(
      'domain.heldOut is given, but without domain.seeds the domain storekeeper has held-out tasks of its own and does not read it.',
    ),
    remedy: l10n.t('Remove it, name base tasks in domain.seeds, or choose the domain whose tasks these are.'),
    severity: 'warning',
  };
};

export const otherTaskSeed: Check = ({ domain }) => {
  if (domain.taskSeed === 0 || drawsTasks(domain)) return null;
  return {
    fields: ['domain.taskSeed', 'domain.name'],
    message: l10n.t(
      'domain.taskSeed is {0}, but the domain {1} does not draw its tasks by it.',
      domain.taskSeed,
      domain.name,
    ),
    remedy: l10n.t('Set it to 0. To measure on other tasks, name a file of them in domain.heldOut.'),
    severity: 'warning',
  };
};

export const nothingHeldOut: Check = (experiment) => {
  const { domain, mode } = experiment;
  if (!isBenchmark(experiment) || domain.heldOut !== null || mode === 'offline') return null;
  return {
    fields: ['domain.heldOut', 'domain.name'],
    message: l10n.t(
      'Nothing is held out: what is written is compared with no task that the agent will be measured on.',
    ),
    remedy: l10n.t('Name a file of the benchmark’s validation or test tasks in domain.heldOut.'),
    severity: 'warning',
  };
};

export const neverValidated: Check = (experiment) => {
  const { domain, mode, validation } = experiment;
  if (validation.every === 0 || mode !== 'offline' || heldOutFile(domain) !== null) return null;
  const others = mayBeOthers(experiment, domain);
  if (!isBenchmark(experiment) && !others) return null;
  return {
    fields: ['domain.heldOut', 'domain.seeds', 'domain.name'],
    message: others
      ? l10n.t(
          'domain.heldOut names no file: unless the tasks of domain.seeds are the storekeeper’s, the run is never validated.',
        )
      : l10n.t('domain.heldOut names no file: nothing is held out, and the run is never validated.'),
    remedy: l10n.t('Name a file of other tasks in domain.heldOut, or set validation.every to 0.'),
    severity: 'warning',
  };
};

/** The field that says which domain it is. */
const naming = ({ domain }: Experiment): string => (domain.name === 'file' ? 'domain.file' : 'domain.name');

export const wordlessEnvironment: Check = (experiment) => {
  const { domain, mode, endpoints } = experiment;
  if (domain.name === 'storekeeper' || mode === 'offline' || endpoints.environment.kind !== 'embedded') return null;
  const what = domain.file ?? domain.name;
  return {
    fields: ['endpoints.environment.kind', naming(experiment)],
    message: l10n.t(
      'The embedded environment knows the storekeeper’s words alone and cannot write tasks of {0}.',
      what,
    ),
    remedy: l10n.t('Give the environment an endpoint of kind tinker, openai or verl, or set mode to "offline".'),
    severity: 'error',
  };
};

export const oneTurnOfGames: Check = ({ domain, rollouts }) => {
  if (domain.name !== 'alfworld' || rollouts.maxTurns > 1) return null;
  return {
    fields: ['rollouts.maxTurns', 'domain.name'],
    message: l10n.t('rollouts.maxTurns is 1, and no game of ALFWorld is won by one command.'),
    remedy: l10n.t('Set rollouts.maxTurns to 50, the official limit.'),
    severity: 'error',
  };
};

export const agreementSwitchedOff: Check = ({ domain, generation, mode }) => {
  if (domain.name !== 'bamboogle' || mode === 'offline' || generation.agreementAnswers > 0) return null;
  return {
    fields: ['generation.agreementAnswers', 'domain.name'],
    message: l10n.t('Nothing checks that the gold of a written question is right: a wrong one looks like a hard one.'),
    remedy: l10n.t('Set generation.agreementAnswers to 5, say.'),
    severity: 'warning',
  };
};

export const wordlessAgent: Check = (experiment) => {
  const { domain, endpoints } = experiment;
  const needsWords = domain.name === 'file' || (hasOwnTasks(domain) && domain.name !== 'storekeeper');
  if (!needsWords || endpoints.agent.kind !== 'embedded') return null;
  return {
    fields: ['endpoints.agent.kind', naming(experiment)],
    message: l10n.t(
      'The embedded agent knows the storekeeper’s words alone and cannot answer tasks of {0}.',
      domain.file ?? domain.name,
    ),
    remedy: l10n.t('Give the agent an endpoint of kind tinker, openai or verl.'),
    severity: 'error',
  };
};

export const domainWithoutFile: Check = ({ domain }) => {
  if (domain.name !== 'file' || domain.file !== null) return null;
  return {
    fields: ['domain.file', 'domain.name'],
    message: l10n.t('domain.name is "file", and domain.file names none.'),
    remedy: l10n.t(
      'Name a *.domain.ts, *.domain.js or *.domain.py in domain.file, or an *.adapter.json with a recipe.',
    ),
    severity: 'error',
  };
};

export const domainFileUnread: Check = ({ domain }) => {
  if (domain.name === 'file' || domain.file === null) return null;
  return {
    fields: ['domain.file', 'domain.name'],
    message: l10n.t('domain.file is given, but domain.name is "{0}", so the file is not read.', domain.name),
    remedy: l10n.t('Leave domain.name out, or set it to "file".'),
    severity: 'error',
  };
};

/** Checks of benchmark domains: their tasks come from files, and their recipes need a capable model. */
import { drawsTasks, hasOwnTasks } from '../tasks/shippedDomains.ts';
import type { Experiment } from '../schema.ts';
import type { Check } from './contradiction.ts';

const isBenchmark = ({ domain }: Experiment): boolean => domain.name !== 'file' && !hasOwnTasks(domain);

export const benchmarkWithoutSeeds: Check = (experiment) => {
  const { domain } = experiment;
  if (!isBenchmark(experiment) || domain.seeds !== null) return null;
  return {
    fields: ['domain.seeds', 'domain.name'],
    message: `The domain ${domain.name} varies tasks of its benchmark, but domain.seeds names no file of them.`,
    remedy: 'Write one from an adapter (Use as Seed Tasks…, or genenv check-adapter with --out), and name it here.',
    severity: 'error',
  };
};

export const heldOutOfStorekeeper: Check = ({ domain }) => {
  if (domain.name !== 'storekeeper' || domain.heldOut === null) return null;
  return {
    fields: ['domain.heldOut', 'domain.name'],
    message: 'domain.heldOut is given, but the domain storekeeper has held-out tasks of its own and does not read it.',
    remedy: 'Remove it, or choose the domain whose tasks these are.',
    severity: 'warning',
  };
};

export const otherTaskSeed: Check = ({ domain }) => {
  if (domain.taskSeed === 0 || drawsTasks(domain)) return null;
  return {
    fields: ['domain.taskSeed', 'domain.name'],
    message: `domain.taskSeed is ${domain.taskSeed}, but the domain ${domain.name} does not draw its tasks by it.`,
    remedy: 'Set it to 0. To measure on other tasks, name a file of them in domain.heldOut.',
    severity: 'warning',
  };
};

export const nothingHeldOut: Check = (experiment) => {
  const { domain, mode } = experiment;
  if (!isBenchmark(experiment) || domain.heldOut !== null || mode === 'offline') return null;
  return {
    fields: ['domain.heldOut', 'domain.name'],
    message: 'Nothing is held out: what is written is compared with no task that the agent will be measured on.',
    remedy: 'Name a file of the benchmark’s validation or test tasks in domain.heldOut.',
    severity: 'warning',
  };
};

export const wordlessEnvironment: Check = (experiment) => {
  const { domain, mode, endpoints } = experiment;
  if (domain.name === 'storekeeper' || mode === 'offline' || endpoints.environment.kind !== 'embedded') return null;
  const what = domain.file ?? domain.name;
  return {
    fields: ['endpoints.environment.kind', 'domain.name'],
    message: `The embedded environment knows the storekeeper’s words alone and cannot write tasks of ${what}.`,
    remedy: 'Give the environment an endpoint of kind tinker, openai or verl, or set mode to "offline".',
    severity: 'error',
  };
};

export const oneTurnOfGames: Check = ({ domain, rollouts }) => {
  if (domain.name !== 'alfworld' || rollouts.maxTurns > 1) return null;
  return {
    fields: ['rollouts.maxTurns', 'domain.name'],
    message: 'rollouts.maxTurns is 1, and no game of ALFWorld is won by one command.',
    remedy: 'Set rollouts.maxTurns to 50, the official limit.',
    severity: 'error',
  };
};

export const agreementSwitchedOff: Check = ({ domain, generation, mode }) => {
  if (domain.name !== 'bamboogle' || mode === 'offline' || generation.agreementAnswers > 0) return null;
  return {
    fields: ['generation.agreementAnswers', 'domain.name'],
    message: 'Nothing checks that the gold of a written question is right: a wrong one looks like a hard one.',
    remedy: 'Set generation.agreementAnswers to 5, say.',
    severity: 'warning',
  };
};

export const wordlessAgent: Check = ({ domain, endpoints }) => {
  const needsWords = domain.name === 'file' || (hasOwnTasks(domain) && domain.name !== 'storekeeper');
  if (!needsWords || endpoints.agent.kind !== 'embedded') return null;
  return {
    fields: ['endpoints.agent.kind', domain.name === 'file' ? 'domain.file' : 'domain.name'],
    message: `The embedded agent knows the storekeeper’s words alone and cannot answer tasks of ${domain.file ?? domain.name}.`,
    remedy: 'Give the agent an endpoint of kind tinker, openai or verl.',
    severity: 'error',
  };
};

export const domainWithoutFile: Check = ({ domain }) => {
  if (domain.name !== 'file' || domain.file !== null) return null;
  return {
    fields: ['domain.file', 'domain.name'],
    message: 'domain.name is "file", and domain.file names none.',
    remedy: 'Name a *.domain.ts, *.domain.js or *.domain.py in domain.file, or an *.adapter.json with a recipe.',
    severity: 'error',
  };
};

export const domainFileUnread: Check = ({ domain }) => {
  if (domain.name === 'file' || domain.file === null) return null;
  return {
    fields: ['domain.file', 'domain.name'],
    message: `domain.file is given, but domain.name is "${domain.name}", so the file is not read.`,
    remedy: 'Leave domain.name out, or set it to "file".',
    severity: 'error',
  };
};

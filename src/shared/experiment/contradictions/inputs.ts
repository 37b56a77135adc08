/** Checks of files, domain and endpoints against their use. */
import type { Limits } from '../limits.ts';
import type { Check } from './contradiction.ts';

export const offlineWithoutFile: Check = ({ mode, generation }) => {
  if (mode !== 'offline' || generation.offlineFile !== null) return null;
  return {
    fields: ['generation.offlineFile', 'mode'],
    message: 'Mode "offline" trains on tasks made elsewhere, but generation.offlineFile names no file.',
    remedy: 'Give the path of a JSONL file of tasks in generation.offlineFile, or choose another mode.',
    severity: 'error',
  };
};

export const unusedOfflineFile: Check = ({ mode, generation }) => {
  if (mode === 'offline' || generation.offlineFile === null) return null;
  return {
    fields: ['generation.offlineFile', 'mode'],
    message: `generation.offlineFile is given, but mode "${mode}" does not read it.`,
    remedy: 'Set mode to "offline", or remove the file.',
    severity: 'warning',
  };
};

export const tooManyTasks =
  (limits: Limits): Check =>
  ({ domain, validation }) => {
    const own = limits.tasks(domain.name);
    // A person's own file of base tasks may hold any number.
    const base = domain.seeds === null && domain.baseTasks > own.base;
    if (!base && validation.tasks <= own.validation) return null;
    const [field, asked, most] = base
      ? ['domain.baseTasks', domain.baseTasks, own.base]
      : ['validation.tasks', validation.tasks, own.validation];
    return {
      fields: [field],
      message: `${field} asks for ${asked} tasks; the ${domain.name} domain has ${most} of them.`,
      remedy: `Give at most ${most}${base ? ', or a file of your own in domain.seeds' : ''}.`,
      severity: 'error',
    };
  };

export const contextTooSmall =
  (role: 'agent' | 'environment', limits: Limits): Check =>
  (experiment) => {
    const field = role === 'agent' ? 'rollouts.maxTokens' : 'generation.maxTokens';
    const wanted = role === 'agent' ? experiment.rollouts.maxTokens : experiment.generation.maxTokens;
    const endpoint = experiment.endpoints[role];
    const context = limits.context(endpoint);
    if (context === null || wanted < context) return null;
    return {
      fields: [field, `endpoints.${role}`, 'preset'],
      message:
        `${field} = ${wanted} asks for more than the ${context} tokens that the ${endpoint.kind} ${role} holds, ` +
        'prompt included: texts are cut there.',
      remedy:
        experiment.preset !== 'embedded'
          ? 'Use the preset "embedded", which is sized for small models.'
          : `Lower ${field} so that the prompt fits too.`,
      severity: 'warning',
    };
  };

/** Checks of files, domain and endpoints against their use. */
import * as l10n from '@vscode/l10n';
import type { Limits } from '../limits.ts';
import { heldOutFile } from '../tasks/heldOut.ts';
import type { Check } from './contradiction.ts';

export const offlineWithoutFile: Check = ({ mode, generation }) => {
  if (mode !== 'offline' || generation.offlineFile !== null) return null;
  return {
    fields: ['generation.offlineFile', 'mode'],
    message: l10n.t('Mode "offline" trains on tasks made elsewhere, but generation.offlineFile names no file.'),
    remedy: l10n.t('Give the path of a JSONL file of tasks in generation.offlineFile, or choose another mode.'),
    severity: 'error',
  };
};

export const unusedOfflineFile: Check = ({ mode, generation }) => {
  if (mode === 'offline' || generation.offlineFile === null) return null;
  return {
    fields: ['generation.offlineFile', 'mode'],
    message: l10n.t('generation.offlineFile is given, but mode "{0}" does not read it.', mode),
    remedy: l10n.t('Set mode to "offline", or remove the file.'),
    severity: 'warning',
  };
};

export const tooManyTasks =
  (limits: Limits): Check =>
  ({ domain, validation }) => {
    const own = limits.tasks(domain.name);
    // A person's own files may hold any number of tasks.
    const base = domain.seeds === null && domain.baseTasks > own.base;
    const validated = heldOutFile(domain) === null && validation.tasks > own.validation;
    if (!base && !validated) return null;
    const [field, asked, most] = base
      ? ['domain.baseTasks', domain.baseTasks, own.base]
      : ['validation.tasks', validation.tasks, own.validation];
    return {
      fields: [field],
      message: l10n.t('{0} asks for {1} tasks; the {2} domain has {3} of them.', field, asked, domain.name, most),
      remedy: l10n.t('Give at most {0}{1}.', most, base ? l10n.t(', or a file of your own in domain.seeds') : ''),
      severity: 'error',
    };
  };

export const contextTooSmall =
  (role: 'agent' | 'environment', limits: Limits): Check =>
  (experiment) => {
    // Nothing is asked of an environment whose tasks were made elsewhere.
    if (role === 'environment' && experiment.mode === 'offline') return null;
    const field = role === 'agent' ? 'rollouts.maxTokens' : 'generation.maxTokens';
    const wanted = role === 'agent' ? experiment.rollouts.maxTokens : experiment.generation.maxTokens;
    const endpoint = experiment.endpoints[role];
    const context = limits.context(endpoint);
    if (context === null || wanted < context) return null;
    return {
      fields: [field, `endpoints.${role}`, 'preset'],
      message: l10n.t(
        '{0} = {1} asks for more than the {2} tokens that the {3} {4} holds, prompt included: texts are cut there.',
        field,
        wanted,
        context,
        endpoint.kind,
        role,
      ),
      remedy:
        experiment.preset !== 'embedded'
          ? l10n.t('Use the preset "embedded", which is sized for small models.')
          : l10n.t('Lower {0} so that the prompt fits too.', field),
      severity: 'warning',
    };
  };

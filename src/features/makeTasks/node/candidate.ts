/** Candidate tasks for a file, and the findings on them. */
import * as l10n from '@vscode/l10n';
import type { Experiment } from '../../../shared/experiment/schema.ts';
import type { Provenance, Task } from '../../../shared/records/task.ts';
import { addressesText, isRemote } from '../../../launch/access/address.ts';

export interface Candidate {
  task: Task;
  provenance: Omit<Provenance, 'filter' | 'measured'>;
  /** Judged attempts at it; null where none was made. */
  measured: NonNullable<Provenance['measured']> | null;
}

/** Why something is not in the file. */
export const leftOutReasons = {
  rejected: (): string => l10n.t('it became no task'),
  excluded: (): string => l10n.t('people took it out of the pools of its run'),
  edited: (): string => l10n.t('people edited it, and as it is now it does not verify'),
  'held-out': (): string => l10n.t('it is a held-out task, or nearly one: what is measured with is not trained on'),
  duplicate: (): string => l10n.t('the same task is in the file already, or among the seed tasks'),
  unmeasured: (): string => l10n.t('no judged attempt tells how hard it is'),
  'too-hard': (): string => l10n.t('the agent solves it more rarely than the filter wants'),
  'too-easy': (): string => l10n.t('the agent solves it more often than the filter wants'),
} as const;
export type LeftOutReason = keyof typeof leftOutReasons;
export type Leave = (reason: LeftOutReason, example: string) => void;

/** A policy in provenance: without user, key or query of its address. */
export function authorOf({ endpoints }: Pick<Experiment, 'endpoints'>): Pick<Provenance, 'endpoint' | 'model'> {
  const { environment } = endpoints;
  if (!isRemote(environment)) return { endpoint: environment.kind, model: environment.weights };
  const at = environment.kind === 'verl' ? environment.sampler : environment.url;
  const places = addressesText(at).map(({ text }) => text);
  return { endpoint: [environment.kind, ...places].join(' '), model: environment.model };
}

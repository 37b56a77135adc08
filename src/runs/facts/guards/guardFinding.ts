import * as l10n from '@vscode/l10n';

export const guards = [
  'environment-skipped',
  'all-solved',
  'none-solved',
  'nothing-learnable',
  'kl-cap',
  'parse-rate',
  'duplicates',
  'disagreements',
  'collapse',
  'held-out',
  'collapse-of-meaning',
  'drift-of-meaning',
  'oscillation',
  'drift',
  'plateau',
  'agent-entropy',
  'environment-entropy',
  'forgetting',
  'cycling',
  'environment-alone',
  'nothing-accepted',
  'nothing-rejected',
  'one-verdict',
  'judge-fails',
  'fast-groups',
] as const;

export type Guard = (typeof guards)[number];

export interface GuardFinding {
  guard: Guard;
  /** First epoch of which it holds. */
  since: number;
  /** The observation and the remedy: full sentences. */
  message: string;
  remedy: string;
  /** The setting to check first. */
  field: string;
}

/** @param domain one of several, which is named; else null */
export const ofDomain = (domain: string | null, message: string): string =>
  domain === null ? message : l10n.t('In the domain {0}: {1}', domain, message);

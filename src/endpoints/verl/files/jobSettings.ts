/** Settings of every job: where its files lie, and the trainer's own settings. */
import * as l10n from '@vscode/l10n';
import type { VerlEndpoint } from '../../../shared/experiment/endpoints/endpoint.ts';
import { overrideWords, ownOverride } from '../../../shared/experiment/endpoints/verlOverrides.ts';
import { EndpointError } from '../../endpointError.ts';
import type { Settings } from './hydra.ts';
import { overridden, reckonedWith } from './overridden.ts';
import { agentRowsName, countsFolder } from './rewardFile.ts';

/** Files of one job, as the cluster sees them. */
export interface Place {
  /** The launcher's own name of the job. */
  id: string;
  folder: string;
  rows: string;
  reward: string;
  /** Folder with what the reward file counted. */
  counted: string;
  script: string;
  finish: string;
  metrics: string;
  rollouts: string;
  checkpoints: string;
  export: string;
  adapter: string;
}

export function placeOf(id: string, folder: string, kind: 'agent' | 'environment'): Place {
  const at = (name: string): string => `${folder}/${name}`;
  return {
    ...{
      id,
      folder,
      rows: at(kind === 'agent' ? agentRowsName : 'train.parquet'),
      reward: at('reward.py'),
      counted: at(countsFolder),
    },
    ...{ script: at('job.sh'), finish: at('finish.py'), metrics: at('metrics.jsonl'), rollouts: at('rollouts') },
    ...{ checkpoints: at('checkpoints'), export: at('export'), adapter: at('export/lora_adapter') },
  };
}

/** An adapter's scale: usual, and what the merger falls back to where it finds no other. */
export const alphaOf = (endpoint: VerlEndpoint, kind: 'agent' | 'environment'): number =>
  overridden(endpoint, kind === 'agent' ? 'actor_rollout_ref.model.lora_alpha' : 'model.lora_alpha') ??
  2 * endpoint.rank;

/** Of both trainers. Never resumed: a job that failed begins again in a folder of its own. */
export function trainerSettings(place: Place, { nodes, gpus }: Pick<VerlEndpoint, 'nodes' | 'gpus'>): Settings {
  return {
    'trainer.project_name': 'genenv',
    'trainer.experiment_name': place.id,
    'trainer.logger': ['console', 'file'],
    'trainer.default_local_dir': place.checkpoints,
    'trainer.resume_mode': 'disable',
    'trainer.total_epochs': 1,
    'trainer.test_freq': -1,
    'trainer.nnodes': nodes,
    'trainer.n_gpus_per_node': gpus,
  };
}

/** @throws EndpointError `unable` for what no job can have, with why: before anything is written or paid for */
export function checkEndpoint(endpoint: VerlEndpoint): void {
  const { url, overrides, rank, workdir } = endpoint;
  const refuse = (field: string, what: string, remedy: string) =>
    new EndpointError('unable', what, { endpoint: url, request: `endpoint.${field}`, attempts: 0, remedy });
  if (rank === 0) {
    const what = l10n.t('a server that samples cannot take fully trained weights while it runs');
    throw refuse('rank', what, l10n.t('Train an adapter: set the rank of this endpoint to 32, for example.'));
  }
  if (!workdir.startsWith('/')) {
    throw refuse(
      'workdir',
      l10n.t('“{0}” is no whole path', workdir),
      l10n.t('Give the folder from / on, as the cluster sees it.'),
    );
  }
  const wrong = overrideWords(overrides).find((word) => !/^(?:[+]{0,2}[\w./@-]+=|~[\w./@-]+)/.test(word));
  if (wrong !== undefined) {
    const remedy = l10n.t('Write key=value, with blanks between overrides and none inside.');
    throw refuse('overrides', l10n.t('“{0}” is no Hydra override', wrong), remedy);
  }
  const taken = ownOverride(overrides);
  for (const key of reckonedWith) overridden(endpoint, key);
  if (taken === null) return;
  const what = l10n.t('{0} is set by GenEnv, which could not read the job’s results otherwise', taken);
  throw refuse('overrides', what, l10n.t('Remove it from the endpoint’s overrides.'));
}

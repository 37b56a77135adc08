/** Why a job failed, read from what it printed. */
import * as l10n from '@vscode/l10n';

/** Only as an error that ended something: libraries warn of optional packages (“torchtitan is not available: No module named …”). */
const missing = (name: RegExp): RegExp =>
  new RegExp(`^(?:(?:ModuleNotFound|Import)Error: |\\S*python[\\d.]*: )No module named '?${name.source}`, 'i');

/** Known ends of jobs: what is in the log, and what to do. The first that fits. */
const known: readonly (readonly [RegExp, () => string])[] = [
  [
    /CUDA out of memory|OutOfMemoryError|CUBLAS_STATUS_ALLOC_FAILED/i,
    () =>
      l10n.t(
        'The GPUs have too little memory: lower rollouts.maxTokens, or add overrides to the endpoint, such as actor_rollout_ref.rollout.gpu_memory_utilization=0.4 and actor_rollout_ref.actor.fsdp_config.param_offload=true. A run takes either in a branch from its last finished epoch.',
      ),
  ],
  [
    /No available memory for the cache blocks|larger than the maximum number of tokens that can be stored in KV cache/i,
    () =>
      l10n.t(
        'The sampler inside the job has no room: lower rollouts.maxTokens, or add the override actor_rollout_ref.rollout.gpu_memory_utilization=0.7 to the endpoint. A run takes either in a branch from its last finished epoch.',
      ),
  ],
  [
    /Total available GPUs \S+ is less than total desired|No available node types can fulfill|Infeasible/i,
    () =>
      l10n.t('The cluster has too few free GPUs: check nodes and GPUs of the endpoint, or wait for other jobs to end.'),
  ],
  [
    /No CUDA GPUs are available|Found no NVIDIA driver|no CUDA-capable device|not compiled with CUDA enabled|Failed to infer device type/i,
    () =>
      l10n.t(
        'Processes of the job see no GPU: check that the cluster’s nodes have them and that Ray was started with them.',
      ),
  ],
  [
    missing(/verl\b/),
    () =>
      l10n.t(
        'verl is not installed for the python3 that the job finds. Activate its environment in a file env.sh in the endpoint’s folder.',
      ),
  ],
  [missing(/[\w.]+/), () => l10n.t('A Python package is missing on the cluster: install it beside verl.')],
  [
    /Could not override|is not in struct|Error merging override|ConfigAttributeError/i,
    () => l10n.t('This version of verl knows other settings: use 0.9 or later, and check the endpoint’s overrides.'),
  ],
  [
    /job\.sh: No such file or directory/i,
    () =>
      l10n.t('The cluster does not see the folder that was written here: check the endpoint’s folder and its mount.'),
  ],
  [/No space left on device/i, () => l10n.t('The cluster’s disk is full: free some space.')],
  [
    /gated repo|Repository Not Found|not a valid model identifier|is not a local folder|401 Client Error/i,
    () => l10n.t('The model cannot be read there: check its name, or give a folder that the cluster sees.'),
  ],
  [
    /MAX_LENGTH|longer than|exceeds? the max(imum)? (prompt )?length/i,
    () => l10n.t('A conversation is too long for the model.'),
  ],
  [
    /NCCL (error|WARN)|ncclInternalError|ncclSystemError/i,
    () => l10n.t('The GPUs cannot talk to each other: see NCCL in the log.'),
  ],
];

const usual = (): string => l10n.t('See the job’s log for the cause; resume to run it again.');

export interface Diagnosis {
  /** The line that says it. */
  cause: string;
  remedy: string;
  /** Last lines of the log. */
  tail: string;
}

const tailLines = 200;

export function diagnose(log: string): Diagnosis {
  const lines = plain(log).trimEnd().split('\n');
  const fit = known.find(([pattern]) => lines.some((line) => pattern.test(bare(line))));
  const telling =
    fit === undefined
      ? lines.findLast((line) => /^\S*(Error|Exception)\b.*:/.test(bare(line)))
      : lines.find((line) => fit[0].test(bare(line)));
  const cause = bare(telling ?? lines.at(-1) ?? '');
  return {
    cause: cause.length > 300 ? `${cause.slice(0, 300)}…` : cause,
    remedy: (fit?.[1] ?? usual)(),
    tail: lines.slice(-tailLines).join('\n'),
  };
}

/** Without colours. */
const plain = (text: string): string => text.replaceAll(/\u001b\[[0-9;]*m/g, '');

/** Without the process that Ray puts before a line: `(TaskRunner pid=4711) `. */
const bare = (line: string): string => line.replace(/^\([^)]*pid=\d+[^)]*\)\s*/, '').trim();

/** Whether there is room for a run's files. */
import * as l10n from '@vscode/l10n';
import { constants } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { mostCheckpoints } from '../../../runs/store/checkpoints.ts';
import type { Workload } from '../../../shared/experiment/workload.ts';
import { codeOf } from '../../../shared/systemError.ts';
import type { Finding } from '../contract.ts';
import type { Trial } from './trial.ts';
import { bytes } from './words.ts';

type Facts = Pick<Finding, 'severity' | 'message' | 'remedy' | 'field'>;

/** The journal and the indices, on top of records. */
const besides = 1.1;

/** Bytes of records over the whole run, and of the checkpoints that stay. */
export function expectedBytes(work: Workload, trial: Pick<Trial, 'bytes' | 'lengths'>): number {
  const { text, attempt, validation, checkpoint } = trial.bytes;
  const records =
    (work.texts.run / Math.max(trial.lengths.accepted, 0.1)) * text +
    work.rollouts.run * attempt +
    (work.validation.run + work.evaluation.run) * validation;
  return Math.round(records * besides + 2 * Math.min(work.epochs + 1, mostCheckpoints) * checkpoint);
}

/** Free bytes where runs are kept, or why nothing can be written there. */
export async function roomIn(root: string): Promise<{ free: number } | { problem: Facts }> {
  const folder = await nearest(resolve(root));
  try {
    await access(folder, constants.W_OK);
    const { bavail, bsize } = await statfs(folder);
    return { free: bavail * bsize };
  } catch (error) {
    const message = l10n.t('Runs cannot be kept in {0}: {1} at {2}.', root, codeOf(error) || String(error), folder);
    const remedy = l10n.t('Make the folder writable, or keep runs elsewhere.');
    return { problem: { severity: 'error', message, remedy, field: '' } };
  }
}

/** The folder itself, or the nearest one above it that is there. */
async function nearest(folder: string): Promise<string> {
  try {
    await access(folder);
    return folder;
  } catch (error) {
    const above = dirname(folder);
    if (above === folder || codeOf(error) !== 'ENOENT') return folder;
    return nearest(above);
  }
}

/** The fault of so much room for so much data; null for none. */
export function tightness(free: number, needed: number, epochs: number): Facts | null {
  if (free >= needed) return null;
  const none = free < needed / epochs;
  const room = [bytes(free), bytes(needed)];
  return {
    severity: none ? 'error' : 'warning',
    message: none
      ? l10n.t('{0} are free, and the run will write about {1}: not one epoch fits.', ...room)
      : l10n.t('{0} are free, and the run will write about {1}: it will pause on the way.', ...room),
    remedy: l10n.t(
      'Free some space, or make the run smaller. A full disk pauses a run; nothing that finished is lost.',
    ),
    field: '',
  };
}

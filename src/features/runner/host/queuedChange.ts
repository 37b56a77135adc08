/** The sentence for a queued study whose files are others now. */
import { dirname, resolve } from 'node:path';
import * as vscode from 'vscode';
import type { QueuedChange } from '../../../host/runs/queuedStudies.ts';
import { isObject } from '../../../shared/experiment/resolve.ts';
import { parseOrUndefined } from '../../../shared/json.ts';
import type { QueueEntry } from '../core/queue.ts';
import type { ChangedSince } from '../node/queuedStudy.ts';

/** The experiment that the queued study names, absolute. */
export function baseOf({ study, copies }: Pick<QueueEntry, 'study' | 'copies'>): string | null {
  const written = copies === null ? undefined : parseOrUndefined(copies.study);
  const named = isObject(written) ? written['base'] : undefined;
  return study === null || typeof named !== 'string' ? null : resolve(dirname(study), named);
}

export function changeOf(
  file: string,
  { since: { copied, named }, name, state }: { since: ChangedSince } & Pick<QueueEntry, 'name' | 'state'>,
): QueuedChange | null {
  const files = [...copied, ...named].join(', ');
  if (files === '') return null;
  if (state !== 'waiting') {
    return { file, text: vscode.l10n.t('The study “{0}” was queued before {1} changed.', name, files), waits: false };
  }
  const text =
    named.length === 0
      ? vscode.l10n.t(
          'The study “{0}” is queued as it was before {1} changed. “Run Study” queues it anew.',
          name,
          files,
        )
      : vscode.l10n.t(
          'The queued study “{0}” does not begin now that {1} changed. Undo that, or “Run Study” queues it anew.',
          name,
          files,
        );
  return { file, text, waits: true };
}

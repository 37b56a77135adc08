import * as l10n from '@vscode/l10n';
import { codeOf } from '../../shared/systemError.ts';
import { RunError } from '../store/runError.ts';
import { messageOf } from '../../shared/messageOf.ts';

const full = new Map<string, () => string>([
  ['ENOSPC', () => l10n.t('the disk is full')],
  ['EDQUOT', () => l10n.t('your quota on this disk is used up')],
]);

const refused = new Map<string, () => string>([
  ['EACCES', () => l10n.t('permission was denied')],
  ['EPERM', () => l10n.t('permission was denied')],
  ['EROFS', () => l10n.t('the disk is read-only')],
  ['EIO', () => l10n.t('the device reported an input/output error')],
  ['ENOENT', () => l10n.t('it no longer exists: something removed it')],
  ['ENOTDIR', () => l10n.t('a part of its path is a file, not a folder')],
  ['EMFILE', () => l10n.t('this process has too many files open')],
  ['EFBIG', () => l10n.t('the file would be larger than this disk or your limits allow')],
]);

/** A failed write as a `RunError`: `disk-full` for space and quota, `unwritable` for the rest. */
export function writeError(error: unknown, path: string): RunError {
  if (error instanceof RunError) return error;
  const code = codeOf(error);
  const space = full.get(code);
  if (space !== undefined) {
    return new RunError('disk-full', {
      path,
      what: l10n.t('cannot write, {0} ({1})', space(), code),
      remedy: l10n.t('Everything finished so far is kept. Free some space, then resume the run.'),
      cause: error,
    });
  }
  const why = refused.get(code)?.();
  return new RunError('unwritable', {
    path,
    what:
      why === undefined ? l10n.t('cannot write, {0}', messageOf(error)) : l10n.t('cannot write, {0} ({1})', why, code),
    remedy: l10n.t(
      'Everything finished so far is kept. Make the folder writable, or choose another one, then resume the run.',
    ),
    cause: error,
  });
}

/** A failed read as a `RunError` of reason `unreadable`. */
export function readError(error: unknown, path: string): RunError {
  if (error instanceof RunError) return error;
  const code = codeOf(error);
  return new RunError('unreadable', {
    path,
    what: [
      l10n.t('cannot read, {0}', refused.get(code)?.() ?? messageOf(error)),
      ...(code === '' ? [] : [`(${code})`]),
    ].join(' '),
    remedy: l10n.t('Check that the run folder is complete and that you may read it.'),
    cause: error,
  });
}

/** Records that differ from their index or an earlier reading. */
export function changedRecords(path: string): RunError {
  return new RunError('format', {
    path,
    what: l10n.t('the file was changed by something else while it was open'),
    remedy: l10n.t('Only a run’s own writer may change it. Restore it from a copy, then open the run again.'),
  });
}

/** Why a task file was not saved. */
import * as l10n from '@vscode/l10n';

type Reason =
  /** Something else wrote it since it was read. */
  | 'changed'
  /** It is not there: nothing is lost of what was read of it. */
  | 'gone'
  /** Tasks were changed here and on the disk, and are undecided. */
  | 'undecided'
  /** An edited line is no JSON object. */
  | 'unreadable-line'
  /** A field stands twice in an edited line. */
  | 'given-twice';

const words: Record<Reason, { what: () => string; remedy: () => string }> = {
  changed: {
    what: () => l10n.t('was changed by something else since it was read'),
    remedy: () => l10n.t('Revert the file to take that in, or save under another name.'),
  },
  gone: {
    what: () => l10n.t('is not there any more: something removed it or its folder'),
    remedy: () => l10n.t('Restore it, or save under another name.'),
  },
  undecided: {
    what: () => l10n.t('has tasks that were changed here and on the disk'),
    remedy: () => l10n.t('Choose a version of each field, then save.'),
  },
  'unreadable-line': {
    what: () => l10n.t('cannot be edited here: the line is no JSON object'),
    remedy: () => l10n.t('Open the file as text and correct the line.'),
  },
  'given-twice': {
    what: () => l10n.t('cannot be edited here: the line gives a field twice'),
    remedy: () => l10n.t('Open the file as text and keep one of the two, then save.'),
  },
};

/** A task file could not be read, or not be written as it was edited; it is as it was. */
export class TaskFileError extends Error {
  override readonly name = 'TaskFileError';
  readonly reason: Reason;
  readonly remedy: string;

  constructor(reason: Reason, path: string, { line, cause }: { line?: number; cause?: unknown } = {}) {
    super(`${path}${line === undefined ? '' : `:${line}`} ${words[reason].what()}.`, { cause });
    this.reason = reason;
    this.remedy = words[reason].remedy();
  }
}

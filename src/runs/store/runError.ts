import * as l10n from '@vscode/l10n';
import { RemediedError } from '../../shared/reasonedError.ts';

/** Why an operation on a run folder failed, for programs to branch on. */
export type RunErrorReason =
  /** No run of that name. */
  | 'not-found'
  /** A prefix that several runs share. */
  | 'ambiguous'
  /** Another live process writes this run. */
  | 'in-use'
  /** No space or no quota left; finished work is kept. */
  | 'disk-full'
  /** The folder cannot be written: permissions, a read-only disk, a failing device. */
  | 'unwritable'
  /** A file cannot be read: permissions, a failing device. */
  | 'unreadable'
  /** A foreign, edited or damaged file. */
  | 'format'
  /** Written by a newer release. */
  | 'version'
  /** No checkpoint exists at the requested branch point. */
  | 'cannot-branch'
  /** Its rollouts were imported: it is only read. */
  | 'imported'
  /** The requested file belongs to a run or an evaluation. */
  | 'own-file'
  /** A record of this id is there already. */
  | 'duplicate'
  /** The reader or writer was closed. */
  | 'closed';

export interface RunErrorFacts {
  /** The failure and its reason, as a clause. */
  what: string;
  /** The remedy, as a sentence. */
  remedy: string;
  path?: string;
  /** 1-based line in `path`. */
  line?: number;
  /** Dotted path of the offending field. */
  field?: string;
  cause?: unknown;
}

/** Every failure of the run folder. `format` and `version` are bad input: the command line leaves with code 2. */
export class RunError extends RemediedError<RunErrorReason> {
  override readonly name = 'RunError';
  readonly path: string | null;
  readonly line: number | null;
  readonly field: string | null;

  constructor(reason: RunErrorReason, facts: RunErrorFacts) {
    const place = facts.path === undefined ? '' : `${facts.path}${facts.line === undefined ? '' : `:${facts.line}`}: `;
    const field = facts.field === undefined || facts.field === '' ? '' : l10n.t('field "{0}": ', facts.field);
    super(reason, `${place}${field}${facts.what}. ${facts.remedy}`, facts.remedy, { cause: facts.cause });
    this.path = facts.path ?? null;
    this.line = facts.line ?? null;
    this.field = facts.field ?? null;
  }
}

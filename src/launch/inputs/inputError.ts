import * as l10n from '@vscode/l10n';
import type { Problem } from '../../shared/experiment/problems/problem.ts';

/** Files that a person wrote and that cannot be used, with everything that is wrong with them. */
export class InputError extends Error {
  readonly reason = 'bad-input';
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    const [first] = problems;
    const more = problems.length > 1 ? l10n.t(' (and {0} more)', problems.length - 1) : '';
    super(
      first === undefined
        ? l10n.t('Bad input.')
        : `${first.file}:${first.line}: ${first.message} ${first.remedy}${more}`.trim(),
    );
    this.name = 'InputError';
    this.problems = problems;
  }
}

/** A file that another one names and that is not there. */
export function absent(file: string, field: string): Problem {
  const [message, remedy] = [l10n.t('There is no file {0}.', file), l10n.t('Write it, or correct the path.')];
  return { file, line: 1, column: 1, field, message, remedy, severity: 'error', absent: true };
}

export const absentFile = (file: string, field: string): InputError => new InputError([absent(file, field)]);

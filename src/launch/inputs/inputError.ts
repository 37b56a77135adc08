import * as l10n from '@vscode/l10n';
import type { Place, Problem } from '../../shared/experiment/problems/problem.ts';

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

/** A fault of the file or folder that a setting names, in none of its lines. */
export const ofName = (file: string, field: string, message: string, remedy: string): Problem => ({
  ...{ file, line: 1, column: 1, field, message, remedy, severity: 'error', ofName: true },
});

/** Problems of files as a whole at the places that name those; others at their own. */
export const atNames = (problems: readonly Problem[], placeOfField: (field: string) => Place): Problem[] =>
  problems.map((problem) => (problem.ofName === true ? { ...problem, ...placeOfField(problem.field) } : problem));

/** A file that a setting names and that is not there. */
export const absent = (file: string, field: string): Problem =>
  ofName(file, field, l10n.t('There is no file {0}.', file), l10n.t('Write it, or correct the path.'));

export const absentFile = (file: string, field: string): InputError => new InputError([absent(file, field)]);

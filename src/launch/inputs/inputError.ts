import type { Problem } from '../../shared/experiment/problems/problem.ts';

/** Files that a person wrote and that cannot be used, with everything that is wrong with them. */
export class InputError extends Error {
  readonly reason = 'bad-input';
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    const [first] = problems;
    const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
    super(
      first === undefined
        ? 'Bad input.'
        : `${first.file}:${first.line}: ${first.message} ${first.remedy}${more}`.trim(),
    );
    this.name = 'InputError';
    this.problems = problems;
  }
}

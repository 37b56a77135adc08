/** A fault in a user's file, at its own place, with a remedy. */
export interface Problem {
  /** As the reader was given it; for a command-line override the override itself. */
  file: string;
  /** 1-based. */
  line: number;
  /** 1-based, in UTF-16 units as editors count. */
  column: number;
  /** `curriculum.alpha`; '' for the file as a whole. */
  field: string;
  /** The fault: a full sentence. */
  message: string;
  /** The remedy: a full sentence; '' when the message says it. */
  remedy: string;
  /** An error keeps the file from being used, a warning does not. */
  severity: 'error' | 'warning';
  /** The fault is of the named file as a whole, which may not be there: shown where it is named, if that is known. */
  ofName?: true;
}

export type Place = Pick<Problem, 'file' | 'line' | 'column'>;

export const isError = ({ severity }: Pick<Problem, 'severity'>): boolean => severity === 'error';

/** Errors before warnings only within a line: a reader walks the file from top to bottom. */
export function inFileOrder(problems: readonly Problem[]): Problem[] {
  const rank = { error: 0, warning: 1 };
  return problems.toSorted(
    (a, b) =>
      a.file.localeCompare(b.file) ||
      a.line - b.line ||
      rank[a.severity] - rank[b.severity] ||
      a.column - b.column ||
      a.field.localeCompare(b.field),
  );
}

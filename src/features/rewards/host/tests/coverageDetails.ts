import * as vscode from 'vscode';
import type { CoveredFile, CoveredPlace } from '../../../../shared/rewards/coverage.ts';

/** Statements with their branches, and functions, as the editor marks them. */
export const coverageDetails = ({ statements, functions }: CoveredFile): vscode.FileCoverageDetail[] => [
  ...statements.map(({ from, to, count, branches }) => {
    const ways = branches.map((way) => new vscode.BranchCoverage(way.count, rangeOf(way.from, way.to), way.name));
    return new vscode.StatementCoverage(count, rangeOf(from, to), ways);
  }),
  ...functions.map(({ name, at, count }) => {
    const known = name === '' ? vscode.l10n.t('a function without a name') : name;
    return new vscode.DeclarationCoverage(known, count, positionOf(at));
  }),
];

const positionOf = ({ line, column }: CoveredPlace): vscode.Position => new vscode.Position(line - 1, column - 1);

/** @param to null at the end of the line */
const rangeOf = (from: CoveredPlace, to: CoveredPlace | null): vscode.Range =>
  new vscode.Range(
    positionOf(from),
    to === null ? new vscode.Position(from.line - 1, Number.MAX_SAFE_INTEGER) : positionOf(to),
  );

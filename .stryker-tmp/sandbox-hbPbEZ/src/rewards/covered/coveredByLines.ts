import type { CoveredFile, TakenCoverage } from '../../shared/rewards/coverage.ts';

/** Lines as Python’s tracing counts them. Of branches it says nothing. */
export function coveredByLines(
  taken: readonly Pick<Extract<TakenCoverage, { kind: 'lines' }>, 'lines' | 'functions'>[],
): Omit<CoveredFile, 'file'> {
  const lines = new Map<number, number>();
  const functions = new Map<string, CoveredFile['functions'][number]>();
  for (const one of taken) {
    for (const [line, count] of one.lines) lines.set(line, (lines.get(line) ?? 0) + count);
    for (const [name, line, count] of one.functions) {
      const key = `${line} ${name}`;
      const before = functions.get(key)?.count ?? 0;
      functions.set(key, { name, at: { line, column: 1 }, count: before + count });
    }
  }
  return {
    statements: [...lines]
      .sort(([one], [other]) => one - other)
      .map(([line, count]) => ({ from: { line, column: 1 }, to: null, count, branches: [] })),
    functions: [...functions.values()].sort((a, b) => a.at.line - b.at.line),
  };
}

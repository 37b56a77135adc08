/** A check of versions against each other, as pages show it. */
import * as l10n from '@vscode/l10n';
import type { EventOf } from '../../shared/journal/events.ts';
import type { CrossPlayRow } from '../../shared/report/data.ts';

/** Solved and judged attempts of a cell's outcomes. */
export function countsOf(outcomes: string): { successes: number; attempts: number } {
  const judged = outcomes.split('').filter((one) => one !== '-');
  return { successes: judged.filter((one) => one === '1').length, attempts: judged.length };
}

export const checkOf = ({ version, rollouts, cells, absent = [] }: EventOf<'cross.played'>): CrossPlayRow => ({
  ...{ version, rollouts },
  cells: cells.map(({ outcomes, ...cell }) => ({ ...cell, ...countsOf(outcomes) })),
  absent: absent.map(({ version: name, reason }) => l10n.t('{0} could not attempt them: {1}', name, reason)),
});

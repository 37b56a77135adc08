import type { EventOf, FamilyScore } from '../../shared/journal/events.ts';
import { oneLine } from '../text/displayWidth.ts';
import { figures, interval, rate } from '../text/numbers.ts';
import type { Style } from '../text/style.ts';
import { table } from '../text/table.ts';

interface Band {
  alpha: number;
  kMin: number;
}

type Group = 'too hard' | 'in band' | 'too easy' | 'not measured';
const order: readonly Group[] = ['too hard', 'in band', 'too easy', 'not measured'];

export function groupOf({ successRate: { p } }: FamilyScore, { alpha, kMin }: Band): Group {
  if (p === null) return 'not measured';
  if (Math.abs(p - alpha) <= kMin + 1e-9) return 'in band';
  return p < alpha ? 'too hard' : 'too easy';
}

/** `show RUN --families`: an epoch's families by how hard they were, the hardest first. */
export function familyLines(
  scored: EventOf<'families.scored'>,
  band: Band,
  { width, style }: { width: number; style: Style },
): string[] {
  const lines: string[] = [];
  for (const group of order) {
    const families = scored.families
      .filter((family) => groupOf(family, band) === group)
      .toSorted((a, b) => (a.successRate.p ?? 0) - (b.successRate.p ?? 0));
    if (families.length === 0) continue;
    const title = `${group} (${families.length})`;
    lines.push(...(lines.length === 0 ? [] : ['']), group === 'in band' ? style.good(title) : style.bold(title));
    lines.push(...table(columns, families, width));
  }
  return lines.length === 0 ? ['No family was scored in this epoch.'] : lines;
}

const columns = [
  { title: 'family', cell: ({ id }: FamilyScore) => id },
  { title: 'p̂', cell: ({ successRate }: FamilyScore) => rate(successRate.p), right: true },
  { title: '95 %', cell: ({ successRate }: FamilyScore) => interval(successRate) },
  {
    title: 'solved',
    cell: ({ successRate: { successes, attempts } }: FamilyScore) => `${successes}/${attempts}`,
    right: true,
  },
  { title: 'tasks', cell: ({ tasks }: FamilyScore) => String(tasks.length), right: true },
  { title: 'R_env', cell: ({ environmentReward }: FamilyScore) => rate(environmentReward), right: true },
  { title: 'weight', cell: ({ weight }: FamilyScore) => figures(weight), right: true },
  { title: 'seed', cell: ({ seed }: FamilyScore) => seed ?? '–' },
  { title: 'plan', cell: ({ plan }: FamilyScore) => oneLine(plan), shrinks: true },
];

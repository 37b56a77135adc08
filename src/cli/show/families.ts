import type { EventOf, FamilyScore } from '../../shared/journal/events.ts';
import { oneLine } from '../text/displayWidth.ts';
import { style } from '../text/style.ts';
import { type Printable } from '../text/styled.ts';
import { table, type Column } from '../text/table.ts';
import { intervalOf } from '../../shared/text/figures/intervals.ts';
import { inColumn, rate } from '../../shared/text/figures/numbers.ts';

interface Band {
  alpha: number;
  kMin: number;
}

type Group = 'too hard' | 'in band' | 'too easy' | 'not measured';
const order: readonly Group[] = ['too hard', 'in band', 'too easy', 'not measured'];

function groupOf({ successRate: { p } }: FamilyScore, { alpha, kMin }: Band): Group {
  if (p === null) return 'not measured';
  if (Math.abs(p - alpha) <= kMin + 1e-9) return 'in band';
  return p < alpha ? 'too hard' : 'too easy';
}

/** `show RUN --families`: an epoch's families by how hard they were, the hardest first. */
export function familyLines(scored: EventOf<'families.scored'>, band: Band, { width }: { width: number }): Printable[] {
  const families = scored.families.toSorted((a, b) => rank(a, band) - rank(b, band));
  if (families.length === 0) return ['No family was scored in this epoch.'];
  const several = families.some(({ domain }) => domain !== undefined);
  const [titles = '', ...rows] = table(several ? columns.toSpliced(1, 0, domainColumn) : columns, families, width);
  const lines: Printable[] = [titles];
  for (const [index, family] of families.entries()) {
    const group = groupOf(family, band);
    const before = families[index - 1];
    if (before === undefined || groupOf(before, band) !== group) {
      const title = `${group} (${families.filter((one) => groupOf(one, band) === group).length})`;
      lines.push(group === 'in band' ? style.good(title) : style.bold(title));
    }
    lines.push(rows[index] ?? '');
  }
  return lines;
}

/** Groups in their order, in each by p̂. */
const rank = (family: FamilyScore, band: Band): number =>
  order.indexOf(groupOf(family, band)) + (family.successRate.p ?? 0) / 2;

const domainColumn: Column<FamilyScore> = { title: 'domain', cell: ({ domain = '–' }) => oneLine(domain) };

const columns: readonly Column<FamilyScore>[] = [
  { title: 'family', cell: ({ id }) => id },
  { title: 'p̂', cell: ({ successRate }) => rate(successRate.p), right: true },
  { title: '95 %', cell: ({ successRate }) => intervalOf(successRate) },
  {
    title: 'solved',
    cell: ({ successRate: { successes, attempts }, cutOff }) =>
      `${successes}/${attempts}${cutOff === undefined ? '' : ' cut'}`,
    right: true,
  },
  { title: 'tasks', cell: ({ tasks }) => String(tasks.length), right: true, spare: 2 },
  { title: 'R_env', cell: ({ environmentReward }) => rate(environmentReward), right: true },
  { title: 'weight', cell: ({ weight }) => inColumn(weight), right: true },
  { title: 'seed', cell: ({ seed }) => seed ?? '–', spare: 1 },
  { title: 'plan', cell: ({ plan }) => oneLine(plan), shrinks: true },
];

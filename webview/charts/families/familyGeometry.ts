/** The layout of one epoch's families, hardest first. Pure. */
import { scaleLinear, type ScaleLinear } from 'd3';
import type { Curriculum, FamilyPoint } from '../../../src/shared/report/data.ts';
import { verdictOf, verdicts, type Verdict } from '../verdict.ts';

export interface PlacedFamily {
  family: FamilyPoint;
  verdict: Verdict;
  x: number;
  y: number;
  low: number;
  high: number;
  /** Height of its bar in the weight panel, in pixels. */
  weight: number;
}

interface FamilyGroup {
  verdict: Verdict;
  count: number;
  from: number;
  to: number;
}

export interface FamilyGeometry {
  y: ScaleLinear<number, number>;
  families: PlacedFamily[];
  groups: FamilyGroup[];
  /** Pixels from one family to the next. */
  step: number;
  /** Weight that fills the weight panel; 0 when every weight is 0. */
  largestWeight: number;
}

export interface FamilyFrame {
  left: number;
  right: number;
  top: number;
  bottom: number;
  weightHeight: number;
}

/** Room between two groups, in families. */
const gap = 0.8;

export function familyGeometry(
  points: readonly FamilyPoint[],
  curriculum: Curriculum,
  { left, right, top, bottom, weightHeight }: FamilyFrame,
): FamilyGeometry {
  const y = scaleLinear([0, 1], [bottom, top]);
  const sorted = [...points].sort((a, b) => a.p - b.p || a.low - b.low || a.id.localeCompare(b.id));
  const members = verdicts
    .map((verdict) => ({ verdict, own: sorted.filter(({ p }) => verdictOf(p, curriculum) === verdict) }))
    .filter(({ own }) => own.length > 0);
  const step = (right - left) / Math.max(1, sorted.length + gap * (members.length - 1));
  const largestWeight = points.reduce((most, { weight }) => Math.max(most, weight), 0);
  const families: PlacedFamily[] = [];
  const groups: FamilyGroup[] = [];
  let at = left;
  for (const { verdict, own } of members) {
    groups.push({ verdict, count: own.length, from: at, to: at + own.length * step });
    for (const [i, family] of own.entries()) {
      families.push({
        family,
        verdict,
        x: at + (i + 0.5) * step,
        y: y(family.p),
        low: y(family.low),
        high: y(family.high),
        weight: largestWeight === 0 ? 0 : (family.weight / largestWeight) * weightHeight,
      });
    }
    at += (own.length + gap) * step;
  }
  return { y, families, groups, step, largestWeight };
}

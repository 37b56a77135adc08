/** An epoch's families by the position of their success rate relative to the band, the hardest first. */
import { sideOfBand } from '../../../engine/math/curriculum.ts';
import type { FamilyScore } from '../../../shared/journal/events.ts';

export const familyGroups = ['too hard', 'in band', 'too easy', 'not measured'] as const;
export type FamilyGroup = (typeof familyGroups)[number];

export interface Band {
  alpha: number;
  kMin: number;
}

/** The group of a success rate; null: not measured. */
export function groupOf(p: number | null, band: Band): FamilyGroup {
  return p === null ? 'not measured' : named[sideOfBand(p, band)];
}

const named = { tooHard: 'too hard', inBand: 'in band', tooEasy: 'too easy' } as const;

/** Made with its first use: an activation need not wait for it. */
let byId: Intl.Collator | null = null;

/** Natural order: `e1.f2` before `e1.f10`. */
export function compareIds(a: string, b: string): number {
  byId ??= new Intl.Collator('en', { numeric: true });
  return byId.compare(a, b);
}

/** All groups in their order, each with its families by p̂, those alike in the order scored. */
export function groupFamilies(families: readonly FamilyScore[], band: Band): Map<FamilyGroup, FamilyScore[]> {
  const groups = new Map<FamilyGroup, FamilyScore[]>(familyGroups.map((group) => [group, []]));
  for (const family of families) groups.get(groupOf(family.successRate.p, band))?.push(family);
  for (const group of groups.values()) {
    group.sort((a, b) => (a.successRate.p ?? 0) - (b.successRate.p ?? 0));
  }
  return groups;
}

/** The Runs tree's filter: which runs, and which of their families. */
import * as z from 'zod';
import { once } from '../../once.ts';
import type { KnownRun } from '../../runs/runs.ts';
import type { FamilyScore } from '../../../shared/journal/events.ts';
import { groupOf, type Band } from './familyGroups.ts';

export const runStates = ['running', 'paused', 'interrupted', 'failed', 'stopped', 'finished'] as const;
export const runModes = ['coevolve', 'random', 'static', 'offline', 'release'] as const;
export const bandSides = ['too hard', 'in band', 'too easy'] as const;

const runFilterSchema = once(() =>
  z.object({
    /** Part of a run's name or id. */
    text: z.string().optional(),
    states: z.array(z.enum(runStates)).optional(),
    modes: z.array(z.enum(runModes)).optional(),
  }),
);
export type RunFilter = z.infer<ReturnType<typeof runFilterSchema>>;

const familyFilterSchema = once(() =>
  z.object({
    /** Only this run is shown; every run when absent. */
    run: z.string().optional(),
    epochs: z.tuple([z.number(), z.number()]).readonly().optional(),
    successRate: z.tuple([z.number(), z.number()]).readonly().optional(),
    band: z.enum(bandSides).optional(),
    text: z.string().optional(),
    /** Part of a domain's name, where a run has several. */
    domain: z.string().optional(),
    /** Only those with notes on an attempt. */
    noted: z.literal(true).optional(),
  }),
);
/** `FamilyFilter` of the contract, and the run it is about. */
export type FamiliesShown = z.infer<ReturnType<typeof familyFilterSchema>>;

export const treeFilterSchema = once(() => z.object({ runs: runFilterSchema(), families: familyFilterSchema() }));
export type TreeFilter = z.infer<ReturnType<typeof treeFilterSchema>>;

export const everything: TreeFilter = { runs: {}, families: {} };

/** Nothing given in it. */
const isEmpty = (part: RunFilter | FamiliesShown): boolean => Object.values(part).every((value) => value === undefined);
export const filtersRuns = ({ runs }: TreeFilter): boolean => !isEmpty(runs);
/** Whether some runs are looked for, so that the rows that hold them stand open. */
export const narrowsRuns = (filter: TreeFilter): boolean => filtersRuns(filter) || filter.families.run !== undefined;
export const filtersFamilies = ({ families }: TreeFilter): boolean => !isEmpty({ ...families, run: undefined });
/** Whether it leaves out families of a domain that is shown. */
export const filtersInDomain = ({ families }: TreeFilter): boolean =>
  !isEmpty({ ...families, run: undefined, domain: undefined });
export const filters = (filter: TreeFilter): boolean => !isEmpty(filter.runs) || !isEmpty(filter.families);

const contains = (text: string, part: string | undefined): boolean =>
  part === undefined || text.toLowerCase().includes(part.trim().toLowerCase());

/** Whether a run is shown. */
export function showsRun({ runs, families }: TreeFilter, { dir, head }: Pick<KnownRun, 'dir' | 'head'>): boolean {
  if (families.run !== undefined) {
    if (families.run !== dir) return false;
  } else if (head.label.archived) return false;
  if (runs.states !== undefined && !runs.states.includes(head.state)) return false;
  if (runs.modes !== undefined && !runs.modes.includes(head.mode)) return false;
  return contains(`${head.name}\n${head.id}`, runs.text);
}

/** Whether an epoch can hold a family that is shown. */
export function reachesEpoch({ families: { epochs } }: TreeFilter, epoch: number): boolean {
  return epochs === undefined || (epoch >= epochs[0] && epoch <= epochs[1]);
}

/** Whether anything of a domain is shown; a run of one domain has no names. */
export function showsDomain({ families }: Pick<TreeFilter, 'families'>, domain = ''): boolean {
  return contains(domain, families.domain);
}

/** Bounds are compared as they are written: a brush over a chart gives 0.3, not the double beside it. */
const slack = 1e-9;

/** Whether a family of an epoch that `reachesEpoch` allows is shown. */
export function showsFamily({ families }: TreeFilter, family: FamilyScore, band: Band): boolean {
  const { p } = family.successRate;
  const { successRate } = families;
  if (families.band !== undefined && groupOf(p, band) !== families.band) return false;
  if (successRate !== undefined) {
    if (p === null || p < successRate[0] - slack || p > successRate[1] + slack) return false;
  }
  return showsDomain({ families }, family.domain) && contains(`${family.id}\n${family.plan}`, families.text);
}

/** `0.4-0.6`, `0.4–`, `-0.6`, `0,5`: a range of success rates as people write it; null when it is none. */
export function parseRange(text: string): readonly [number, number] | null {
  const parts = text.replaceAll(',', '.').split(/\s*(?:–|-|\.\.|\bto\b)\s*/);
  const [from = '', to = from] = parts.map((part) => part.trim());
  if (parts.length > 2 || (from === '' && to === '')) return null;
  const range: readonly [number, number] = [from === '' ? 0 : Number(from), to === '' ? 1 : Number(to)];
  const good = range.every((bound) => bound >= 0 && bound <= 1) && range[0] <= range[1];
  return good ? range : null;
}

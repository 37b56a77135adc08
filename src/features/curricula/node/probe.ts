/** A made epoch that shows what a curriculum file rewards: a family a number of successes, and one without a judged attempt. */
import { givenOf } from '../../../shared/curricula/cases.ts';
import type { FamilyReward } from '../../../shared/curricula/rewards.ts';
import { faultSentence } from '../../../rewards/processes/answer.ts';
import type { CurriculumHost } from '../../../rewards/curricula/curriculumHost.ts';
import { wavers } from '../../../rewards/curricula/testCases.ts';

/** Attempts at the one task of each family. */
export const probedAttempts = 8;

const { families, epoch } = givenOf({
  ...{ v: 1, note: '', expected: [], tolerance: 0, epoch: {} },
  families: [
    ...Array.from({ length: probedAttempts + 1 }, (_, k) => '1'.repeat(k).padEnd(probedAttempts, '0')),
    '-'.repeat(probedAttempts),
  ].map((attempts) => ({ seed: null, plan: '', tasks: [{ attempts }] })),
});

export interface Probed {
  /** By the number of successes, 0…8; the last is of a family whose attempts were not judged. Empty where it failed. */
  rewards: readonly FamilyReward[];
  problems: string[];
  output: string;
}

/** Asks twice: a file that wavers would make a resumed run another. */
export async function probe(host: CurriculumHost): Promise<Probed> {
  const outcome = await host.ask(families, epoch);
  const { output } = outcome;
  if ('fault' in outcome) return { rewards: [], problems: [faultSentence(outcome.fault)], output };
  const unsteady = wavers(outcome, await host.ask(families, epoch));
  return { rewards: outcome.byFamily, problems: unsteady === null ? [] : [unsteady], output };
}

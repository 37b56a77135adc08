/**
 * Settings that are each allowed and cannot mean what was intended together. One function a contradiction, pure over
 * the resolved experiment. An error cannot work; a warning works, but not as its author probably thinks.
 */
import { emptyBand, endlessWarmup, everythingPasses, singleValue, zeroBand } from './contradictions/band.ts';
import {
  batchUnderMinibatch,
  budgetUnderAnEpoch,
  closedClip,
  minGroupOverGroup,
  noRoomForTasks,
} from './contradictions/batch.ts';
import type { Check, Contradiction } from './contradictions/contradiction.ts';
import { ofEachDomain } from './contradictions/ofEachDomain.ts';
import { domainWithoutFamilies, sameDomainTwice, validationWithoutDomain } from './contradictions/severalDomains.ts';
import { evaluationWithoutAdapter, repeatedGreedyEvaluation, unusedAdapter } from './contradictions/evaluation.ts';
import { frozenAgent, frozenEnvironment } from './contradictions/frozen.ts';
import {
  agreementSwitchedOff,
  benchmarkWithoutSeeds,
  heldOutOfStorekeeper,
  nothingHeldOut,
  oneTurnOfGames,
  domainFileUnread,
  domainWithoutFile,
  wordlessAgent,
  wordlessEnvironment,
} from './contradictions/recipes.ts';
import { flatReward, rareProgress, stepBehindFilter } from './contradictions/rewards.ts';
import { contextTooSmall, offlineWithoutFile, tooManyTasks, unusedOfflineFile } from './contradictions/inputs.ts';
import { temperedAgent, temperedEnvironment, uncountedSequence } from './contradictions/sampling.ts';
import { unfilledAddress } from './contradictions/placeholder.ts';
import { lateStop, repeatedGreedy, stopWithoutValidation } from './contradictions/validation.ts';
import { epochScope, longBuffer, neverEnoughFamilies, noTemperature } from './contradictions/weights.ts';
import {
  fullWeightsOfJobs,
  minGroupOfJobs,
  termsWithoutPlace,
  undividedBatch,
  undividedRows,
} from './contradictions/jobs.ts';
import type { Limits } from './limits.ts';
import type { Experiment } from './schema.ts';

const checks: readonly Check[] = [
  unfilledAddress('agent'),
  unfilledAddress('environment'),
  frozenEnvironment,
  frozenAgent,
  emptyBand,
  singleValue,
  zeroBand,
  everythingPasses,
  epochScope,
  noTemperature,
  stepBehindFilter,
  flatReward,
  rareProgress,
  endlessWarmup,
  offlineWithoutFile,
  unusedOfflineFile,
  sameDomainTwice,
  domainWithoutFamilies,
  validationWithoutDomain,
  closedClip,
  noRoomForTasks,
  minGroupOverGroup,
  temperedAgent,
  temperedEnvironment,
  uncountedSequence,
  batchUnderMinibatch,
  longBuffer,
  neverEnoughFamilies,
  stopWithoutValidation,
  lateStop,
  repeatedGreedy,
  evaluationWithoutAdapter,
  unusedAdapter,
  repeatedGreedyEvaluation,
  budgetUnderAnEpoch,
  fullWeightsOfJobs,
  minGroupOfJobs,
  termsWithoutPlace,
  undividedBatch,
  undividedRows,
];

/** What is asked of each domain, where a run has several. */
const domainChecks: readonly Check[] = [
  benchmarkWithoutSeeds,
  heldOutOfStorekeeper,
  nothingHeldOut,
  domainFileUnread,
  domainWithoutFile,
  wordlessAgent,
  wordlessEnvironment,
  oneTurnOfGames,
  agreementSwitchedOff,
];

/** Every contradiction in an experiment whose fields are each valid. */
export function contradictions(experiment: Experiment, limits: Limits): Contradiction[] {
  const limited = [contextTooSmall('agent', limits), contextTooSmall('environment', limits)];
  const ofDomains = ofEachDomain(experiment, [...domainChecks, tooManyTasks(limits)]);
  return [...ofDomains, ...[...checks, ...limited].map((check) => check(experiment)).filter((found) => found !== null)];
}

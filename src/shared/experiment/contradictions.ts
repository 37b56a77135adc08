/**
 * Settings that are each allowed but contradict each other. One function a contradiction, pure over the resolved
 * experiment. An error cannot work; a warning works, but probably not as intended.
 */
import { emptyBand, endlessWarmup, everythingPasses, singleValue, zeroBand } from './contradictions/band.ts';
import {
  batchUnderMinibatch,
  budgetUnderAnEpoch,
  unpricedBudget,
  closedClip,
  fewBaseTasks,
  minGroupOverGroup,
  noRoomForTasks,
} from './contradictions/batch.ts';
import {
  controlBeyondRun,
  controlledBlind,
  controlledCourse,
  controlOutOfBounds,
  controlWithoutValidation,
  emptyBandOfControl,
} from './contradictions/alpha/control.ts';
import { courseBeyondRun, courseOutOfOrder, emptyBandOfCourse } from './contradictions/alpha/course.ts';
import type { Check, Contradiction } from './contradictions/contradiction.ts';
import { embeddingsWithoutModel } from './contradictions/embeddings.ts';
import { ofEachDomain } from './contradictions/ofEachDomain.ts';
import { domainWithoutFamilies, sameDomainTwice, validationWithoutDomain } from './contradictions/severalDomains.ts';
import {
  evaluationWithoutAdapter,
  repeatedGreedyEvaluation,
  sameTasksCompared,
  unusedAdapter,
} from './contradictions/evaluation.ts';
import { frozenAgent, frozenEnvironment } from './contradictions/frozen.ts';
import {
  agreementSwitchedOff,
  benchmarkWithoutSeeds,
  heldOutOfStorekeeper,
  neverValidated,
  otherTaskSeed,
  nothingHeldOut,
  oneTurnOfGames,
  domainFileUnread,
  domainWithoutFile,
  wordlessAgent,
  wordlessEnvironment,
} from './contradictions/recipes.ts';
import { flatReward, rareProgress, rewardWithoutFile, stepBehindFilter } from './contradictions/rewards.ts';
import { contextTooSmall, offlineWithoutFile, tooManyTasks, unusedOfflineFile } from './contradictions/inputs.ts';
import { staleJobs, staleRelease, staleRounds, staleSampler } from './contradictions/schedule/staleness.ts';
import { cutOffBesideFilter, cutOffUnderControl } from './contradictions/schedule/cutOff.ts';
import {
  spareBesideCutOff,
  spareJobs,
  spareRelease,
  spareSampler,
  spareUnderControl,
} from './contradictions/schedule/spare.ts';
import { lateBesideCutOff, lateBesideSpare, lateProgress } from './contradictions/schedule/late.ts';
import { nothingToStream, streamedAhead, streamedJobs, streamedSpare } from './contradictions/schedule/streaming.ts';
import { orderUnderBudget } from './contradictions/schedule/order.ts';
import { temperedAgent, temperedEnvironment, uncountedSequence } from './contradictions/sampling.ts';
import { unfilledAddress } from './contradictions/placeholder.ts';
import { lateStop, repeatedGreedy, stopWithoutValidation } from './contradictions/validation.ts';
import { epochScope, longBuffer, neverEnoughFamilies, noTemperature } from './contradictions/weights.ts';
import {
  fullWeightsOfJobs,
  minGroupOfJobs,
  overriddenFields,
  termsWithoutPlace,
  undividedBatch,
  undividedRows,
} from './contradictions/jobs.ts';
import { comparedByJobs, comparedInBand, nothingToCompare, untrainedCoevolution } from './contradictions/updates.ts';
import { editedByChance, everythingDrawn, nothingToDraw, samplerOfRelease } from './contradictions/samplers.ts';
import type { Limits } from './limits.ts';
import type { Experiment } from './schema.ts';

const checks: readonly Check[] = [
  unfilledAddress('agent'),
  unfilledAddress('environment'),
  embeddingsWithoutModel,
  frozenEnvironment,
  frozenAgent,
  rewardWithoutFile,
  emptyBand,
  emptyBandOfCourse,
  courseOutOfOrder,
  courseBeyondRun,
  controlledCourse,
  controlOutOfBounds,
  emptyBandOfControl,
  controlWithoutValidation,
  controlBeyondRun,
  controlledBlind,
  singleValue,
  zeroBand,
  everythingPasses,
  epochScope,
  noTemperature,
  stepBehindFilter,
  flatReward,
  rareProgress,
  nothingToCompare,
  comparedInBand,
  comparedByJobs,
  untrainedCoevolution,
  samplerOfRelease,
  nothingToDraw,
  everythingDrawn,
  editedByChance,
  endlessWarmup,
  offlineWithoutFile,
  unusedOfflineFile,
  sameDomainTwice,
  domainWithoutFamilies,
  validationWithoutDomain,
  closedClip,
  noRoomForTasks,
  fewBaseTasks,
  minGroupOverGroup,
  staleRounds,
  staleRelease,
  staleJobs,
  staleSampler,
  orderUnderBudget,
  cutOffBesideFilter,
  cutOffUnderControl,
  spareRelease,
  spareJobs,
  spareBesideCutOff,
  spareSampler,
  spareUnderControl,
  lateBesideSpare,
  lateBesideCutOff,
  lateProgress,
  streamedJobs,
  streamedSpare,
  streamedAhead,
  nothingToStream,
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
  sameTasksCompared,
  budgetUnderAnEpoch,
  unpricedBudget,
  fullWeightsOfJobs,
  overriddenFields('agent'),
  overriddenFields('environment'),
  minGroupOfJobs,
  termsWithoutPlace,
  undividedBatch,
  undividedRows,
];

/** Checks of each domain, where a run has several. */
const domainChecks: readonly Check[] = [
  benchmarkWithoutSeeds,
  heldOutOfStorekeeper,
  neverValidated,
  otherTaskSeed,
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

import { basename } from 'node:path';
import type { KeptRescore } from '../node/keptRescore.ts';
import { meanInterval } from '../core/meanInterval.ts';
import { rescoreViews, type RescoreResult } from '../contract/page.ts';
import { inWords } from '../../../shared/journal/recordedWords.ts';

/** A rescoring as its page shows it. @param number grows with every scoring */
export function rescoreResult(kept: KeptRescore, number: number): RescoreResult {
  const { summary, leftOut } = kept.rescored;
  const { attempts, fates, rewardsMoved, successRate, baseSuccessRate, validation, environmentReward } = summary;
  const { families, inBand, familiesKept, cutOff, effectiveSampleSize, weightMoved, advantages, epochs } = summary;
  const { groups, turned, gained, lost, moved } = advantages;
  return {
    ...{ number, attempts, leftOut, fates, rewardsMoved, successRate, baseSuccessRate, validation, environmentReward },
    ...{ families, inBand, familiesKept, cutOff, effectiveSampleSize, weightMoved },
    rows: {
      ...{ flips: 0, solved: 0, failed: 0, error: 0, moved: 0, turned: 0, families: 0 },
      ...Object.fromEntries(rescoreViews.map((view) => [view, kept.count(view)])),
    },
    advantages: {
      ...{ groups, attempts: advantages.attempts, turned, gained, lost },
      meanChange: advantages.attempts === 0 ? 0 : moved / advantages.attempts,
    },
    epochs: epochs.map(({ epoch, successRate: rates, environmentReward: rewards, inBand: inside }) => ({
      ...{ epoch, successRate: rates, inBand: inside },
      environmentReward: { before: meanInterval(rewards.before), after: meanInterval(rewards.after) },
    })),
    faults: kept.faults.groups.map(({ fault, trace, attempts: count }) => ({
      message: inWords(fault.message),
      place: fault.at === null ? null : `${basename(fault.at.file)}:${fault.at.line}:${fault.at.column}`,
      stack: fault.stack,
      trace,
      attempts: count,
    })),
    otherFaults: kept.faults.others,
  };
}

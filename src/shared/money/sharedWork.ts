/** A branch’s part of the work that its run has done before: its budgets count the shared epochs, as the loop does. */
import type { Experiment } from '../experiment/schema.ts';
import { nothingShared, type SharedWork } from '../experiment/workload.ts';
import type { Cut } from '../journal/events.ts';
import { pricesOf } from './prices.ts';
import { costOf, type Used } from './used.ts';

/** Of a journal up to the end of an epoch; `validated` and `evaluated` of the start, which is measured once. */
export interface SharedSpending {
  tokens: number;
  rollouts: number;
  /** On the clock. */
  seconds: number;
  used: Used;
  /** The budget that ended the last shared epoch early; null for none. */
  cut: Pick<Cut, 'by' | 'budget'> | null;
  validated: boolean;
  evaluated: boolean;
}

/** @param branch null for a run that begins anew */
export function sharedWork(
  branch: { epoch: number; shared: SharedSpending } | null,
  { endpoints, budget }: Pick<Experiment, 'endpoints' | 'budget'>,
): SharedWork {
  if (branch === null) return nothingShared;
  const { tokens, rollouts, seconds, used, cut, validated, evaluated } = branch.shared;
  const hours = seconds / 3600;
  const prices = pricesOf(endpoints);
  const spent = { tokens, rollouts, seconds, hours, cost: prices === null ? 0 : costOf(used, hours, prices) };
  const most = cut === null ? null : budget[cut.by];
  // A budget that ended an epoch early is used up, unless it is raised.
  const usedUp = cut !== null && most !== null && most <= cut.budget ? { [cut.by]: most } : {};
  return { epochs: branch.epoch, spent: { ...spent, ...usedUp }, validated, evaluated };
}

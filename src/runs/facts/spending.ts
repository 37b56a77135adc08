/** Money of a run: so far, by phase, and likely still to come. Null figures are unknown. */
import { forecastOf, spentOn } from '../../engine/spending/forecast.ts';
import type { RunState } from '../../engine/state.ts';
import type { Experiment } from '../../shared/experiment/schema.ts';
import type { JournalEvent } from '../../shared/journal/events.ts';
import { pricesOf, type Prices } from '../../shared/money/prices.ts';
import { priceOfUse, usesOf } from '../../shared/money/used.ts';

export interface Outlay {
  spent: number;
  /** For the epochs left, or until `budget.cost` is used up; null before an epoch has finished. */
  left: number | null;
  /** Epochs whose mean `left` rests on. */
  epochs: number;
}

/** Null where no endpoint has a price. */
export function outlayOf(state: RunState, { endpoints, epochs, budget }: Experiment): Outlay | null {
  const prices = pricesOf(endpoints);
  if (prices === null) return null;
  const spent = spentOn(state, prices);
  if (state.finished !== null) return { spent, left: 0, epochs: state.recent.length };
  const forecast = forecastOf(state, prices);
  if (forecast === null) return { spent, left: null, epochs: 0 };
  const ahead = (epochs - state.summaries.length) * (forecast.cost ?? 0);
  const left = budget.cost === null ? ahead : Math.min(ahead, Math.max(0, budget.cost - spent));
  return { spent, left, epochs: forecast.epochs };
}

export type PaidPhase = 'writing' | 'attempts' | 'updates' | 'measuring' | 'between phases';

const phases: Partial<Record<JournalEvent['type'], PaidPhase>> = {
  'tasks.generated': 'writing',
  'rollouts.finished': 'attempts',
  'agent.updated': 'updates',
  'environment.updated': 'updates',
  validated: 'measuring',
  evaluated: 'measuring',
};

/** Money by phase. An hour in which two phases are at work is shared by their lengths. */
export class SpendingFold {
  readonly #prices: Prices;
  readonly #paid = new Map<PaidPhase, number>();
  /** Seconds of the phases of the epoch under way. */
  #open = new Map<PaidPhase, number>();

  constructor(prices: Prices) {
    this.#prices = prices;
  }

  /** @param worked seconds of the epoch on the clock, with its last event */
  add(event: JournalEvent, worked: number): void {
    const phase = phases[event.type];
    if (phase !== undefined) for (const use of usesOf(event)) this.#pay(phase, priceOfUse(use, this.#prices));
    if (phase !== undefined && 'seconds' in event && 'epoch' in event) {
      // The measurement before the first epoch stands alone.
      if (event.epoch === 0) this.#pay(phase, (event.seconds / 3600) * this.#prices.hour);
      else this.#open.set(phase, (this.#open.get(phase) ?? 0) + event.seconds);
    }
    if (event.type !== 'epoch.finished') return;
    const busy = [...this.#open.values()].reduce((sum, seconds) => sum + seconds, 0);
    const hourly = (seconds: number): number => (seconds / 3600) * this.#prices.hour;
    const inside = Math.min(worked, busy);
    for (const [own, seconds] of this.#open) this.#pay(own, hourly((inside * seconds) / Math.max(busy, 1e-9)));
    this.#pay('between phases', hourly(worked - inside));
    this.#open = new Map();
  }

  /** Shares of 1, the largest first; empty before anything was paid. */
  get shares(): { phase: PaidPhase; share: number }[] {
    const all = [...this.#paid.values()].reduce((sum, cost) => sum + cost, 0);
    return [...this.#paid]
      .map(([phase, cost]) => ({ phase, share: all === 0 ? 0 : cost / all }))
      .filter(({ share }) => share > 0)
      .sort((a, b) => b.share - a.share);
  }

  #pay(phase: PaidPhase, cost: number): void {
    this.#paid.set(phase, (this.#paid.get(phase) ?? 0) + cost);
  }
}

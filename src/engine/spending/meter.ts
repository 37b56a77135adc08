/**
 * Budgets of money and hours (`budget.cost`, `budget.hours`) while phases are under way. What is journaled is in the
 * run's state; this adds what is recorded since, what is under way, and what the updates will likely take. Once something
 * that waits is turned away nothing further begins, in this process and in every one that resumes the epoch.
 */
import type { Experiment } from '../../shared/experiment/schema.ts';
import type { Cut, EventOf, JournalEvent } from '../../shared/journal/events.ts';
import { pricesOf, type Prices } from '../../shared/money/prices.ts';
import { costOf, priceOfUse, type Use } from '../../shared/money/used.ts';
import { sum } from '../../shared/sum.ts';
import { secondsWorked } from '../epochTime.ts';
import { largestEffort } from './forecast.ts';
import type { Gate } from './pace.ts';
import type { Ports } from '../ports.ts';
import type { RunState } from '../state.ts';

type Kind = 'written' | 'attempted' | 'measured';

export interface MeterNeeds {
  state: () => RunState;
  experiment: () => Pick<Experiment, 'budget' | 'endpoints'>;
  ports: Pick<Ports, 'clock' | 'stoodStill'>;
}

export class Meter {
  readonly #needs: MeterNeeds;
  /** Prices of records that no event speaks of yet, by the kind of phase, the epoch and the record. */
  readonly #live = new Map<string, Map<string, number>>();
  readonly #seen = { attempted: { count: 0, cost: 0 }, written: { count: 0, cost: 0 } };
  readonly #underWay = { attempted: 0, written: 0 };
  #refused: Pick<Cut, 'by' | 'budget'> | null = null;

  constructor(needs: MeterNeeds) {
    this.#needs = needs;
  }

  get #prices(): Prices | null {
    return pricesOf(this.#needs.experiment().endpoints);
  }

  /** Null without a budget of money or hours: then nothing waits for anything. */
  gate(kind: 'attempted' | 'written'): Gate | null {
    const { cost, hours } = this.#needs.experiment().budget;
    if (cost === null && hours === null) return null;
    return {
      admits: () => this.admits(),
      isClosed: () => this.refused !== null,
      begin: (n) => {
        this.#underWay[kind] += n;
      },
      end: (n) => {
        this.#underWay[kind] -= n;
      },
    };
  }

  /** A recorded text or attempt, whether or not it was counted before. */
  record(kind: Kind, epoch: number, id: string, uses: readonly Use[]): void {
    const prices = this.#prices;
    if (prices === null) return;
    const key = `${kind} ${epoch}`;
    const known = this.#live.get(key) ?? new Map<string, number>();
    this.#live.set(key, known);
    if (known.has(id)) return;
    const cost = sum(uses.map((use) => priceOfUse(use, prices)));
    known.set(id, cost);
    if (kind === 'measured') return;
    this.#seen[kind].count += 1;
    this.#seen[kind].cost += cost;
  }

  /** From now on the state contains it. */
  journaled(event: JournalEvent): void {
    if (event.type === 'tasks.generated') this.#live.delete(`written ${event.epoch}`);
    if (event.type === 'rollouts.finished') this.#attempted(event);
    if (event.type === 'validated' || event.type === 'evaluated') this.#live.delete(`measured ${event.epoch}`);
    if (event.type === 'epoch.started') this.#refused = null;
  }

  /** Late attempts are contained in the next epoch's event. */
  #attempted({ epoch, late }: EventOf<'rollouts.finished'>): void {
    this.#live.delete(`attempted ${epoch - 1}`);
    const key = `attempted ${epoch}`;
    const known = this.#live.get(key);
    if (known === undefined) return;
    const open = new Set(late);
    const isOpen = (id: string): boolean => open.has(id.slice(id.indexOf('/') + 1, id.lastIndexOf('/')));
    this.#live.set(key, new Map([...known].filter(([id]) => isOpen(id))));
  }

  /** Hours on the clock and money so far. */
  get spent(): { hours: number; cost: number } {
    const state = this.#needs.state();
    const { clock, stoodStill = [] } = this.#needs.ports;
    const open = state.open === null ? 0 : secondsWorked({ from: state.open.startedAt, to: clock.now() }, stoodStill);
    const hours = (state.spent.seconds + open) / 3600;
    let live = 0;
    for (const records of this.#live.values()) for (const cost of records.values()) live += cost;
    const prices = this.#prices;
    return { hours, cost: prices === null ? 0 : costOf(state.used, hours, prices) + live };
  }

  /**
   * Whether something that waits may begin, counting what is under way and the updates to come. What is under way may turn
   * out cheaper than it is likely to be, so nothing is closed for good before something is turned away.
   */
  admits(): boolean {
    this.#refused = this.refused ?? this.#usedUp();
    return this.#refused === null;
  }

  /** The budget for which something of the epoch was turned away; null for none. */
  get refused(): Pick<Cut, 'by' | 'budget'> | null {
    return this.#refused ?? this.#needs.state().open?.cut ?? null;
  }

  #usedUp(): Pick<Cut, 'by' | 'budget'> | null {
    const { budget } = this.#needs.experiment();
    if (budget.cost === null && budget.hours === null) return null;
    const { hours, cost } = this.spent;
    // For the updates as much is kept back as any of the last epochs took.
    const { seconds, used } = largestEffort(this.#needs.state().recent.map(({ updates }) => updates));
    if (budget.hours !== null && hours + seconds / 3600 >= budget.hours) return { by: 'hours', budget: budget.hours };
    const prices = this.#prices;
    if (budget.cost === null || prices === null) return null;
    const likely = costOf(used, seconds / 3600, prices) + this.#costUnderWay;
    return cost + likely >= budget.cost ? { by: 'cost', budget: budget.cost } : null;
  }

  get #costUnderWay(): number {
    return (['attempted', 'written'] as const).reduce((sum, kind) => {
      const { count, cost } = this.#seen[kind];
      return sum + (count === 0 ? 0 : (this.#underWay[kind] * cost) / count);
    }, 0);
  }
}

/** Facts of a run beyond its state: folds over its journal, made once for all readers, that keep no families. */
import { append } from '../../shared/append.ts';
import { curriculumAfter, type CurriculumInForce } from '../../shared/journal/curriculum.ts';
import type { EpochSummary, EventOf, JournalEvent } from '../../shared/journal/events.ts';
import type { SuccessRate } from '../../shared/journal/scores.ts';
import { WeightScale } from '../../shared/weightScale.ts';
import type { Lineage } from '../journal/lineage.ts';
import { GuardFold } from './guards/guards.ts';
import { RunCharts } from './runCharts.ts';

export interface EpochFacts {
  epoch: number;
  /** In force when its families were scored. */
  curriculum: CurriculumInForce;
  changes: EventOf<'settings.changed'>['changes'];
  versions: EventOf<'epoch.started'>['versions'];
  generated: EventOf<'tasks.generated'> | null;
  /** Without its families. */
  scored: EventOf<'families.scored'> | null;
  families: number;
  /** Groups attempted in it that count in the next epoch (`rollouts.late`). */
  late: number;
  /** Tasks that its scoring put into D_env. */
  pooled: number;
  environmentSkipped: string | null;
  /** Rounds in which the agent was updated; why it was not where there are none. */
  agentUpdates: number;
  agentSkipped: string | null;
  pools: EventOf<'pools.grown'> | null;
  validation: SuccessRate | null;
  summary: EpochSummary | null;
}

/** D_env according to the journal. */
export interface EnvironmentPoolFacts {
  instances: number;
  /** Mean success rate of the instances' families; null while there are none. */
  meanSuccessRate: number | null;
  /** Σ exp(λR_env) over the instances, with the λ of each one's epoch; infinite where no number is so large. */
  weight: number;
  /** (Σw)²/Σw² over the instances. */
  effectiveSampleSize: number;
  /** The parts of several domains, in the order in which they came; none where the run has one. */
  domains: readonly DomainPoolFacts[];
}

export interface DomainPoolFacts extends Pick<EnvironmentPoolFacts, 'instances' | 'meanSuccessRate'> {
  domain: string;
  /** Of the weight of all. */
  share: number;
}

/** An event without its large part. */
export const withoutFamilies = (event: JournalEvent): JournalEvent =>
  event.type === 'families.scored' ? { ...event, families: [] } : event;

export class RunFacts {
  readonly epochs = new Map<number, EpochFacts>();
  started: EventOf<'run.started'> | null = null;
  finished: EventOf<'run.finished'> | null = null;
  /** The journal without its large parts, for `conclude` and comparisons. */
  readonly light: JournalEvent[] = [];
  readonly charts: RunCharts;
  readonly guards: GuardFold;
  /** Made at the start of an epoch, which is journaled after them. */
  #waiting: EventOf<'settings.changed'>[] = [];
  readonly #scale = new WeightScale();
  readonly #pool = { instances: 0, successRates: 0, weight: 0, squares: 0 };
  readonly #poolOf = new Map<string, { instances: number; successRates: number; weight: number }>();

  constructor(lineage: Lineage) {
    this.charts = new RunCharts(lineage);
    this.guards = new GuardFold(lineage);
  }

  /** Takes events in order. */
  add(event: JournalEvent): void {
    this.charts.add(event);
    this.guards.add(event);
    this.light.push(withoutFamilies(event));
    if (event.type === 'run.started') this.started = event;
    else if (event.type === 'run.finished') this.finished = event;
    else if (event.type === 'epoch.started') this.#begin(event);
    else if (event.type === 'settings.changed' && !this.epochs.has(event.epoch)) this.#waiting.push(event);
    else this.#addToEpoch(event);
  }

  environmentPool(): EnvironmentPoolFacts {
    const { instances, successRates, weight, squares } = this.#pool;
    return {
      instances,
      meanSuccessRate: instances === 0 ? null : successRates / instances,
      weight: this.#scale.whole(weight),
      effectiveSampleSize: squares === 0 ? 0 : weight ** 2 / squares,
      domains: [...this.#poolOf].map(([domain, own]) => ({
        domain,
        instances: own.instances,
        meanSuccessRate: own.instances === 0 ? null : own.successRates / own.instances,
        share: weight === 0 ? 0 : own.weight / weight,
      })),
    };
  }

  #begin(event: EventOf<'epoch.started'>): void {
    const changes = this.#waiting.flatMap((waiting) => waiting.changes);
    this.#waiting = [];
    this.epochs.set(event.epoch, { ...emptyFacts(event), changes });
  }

  #addToEpoch(event: InEpoch): void {
    const facts = this.epochs.get(event.epoch);
    if (facts === undefined) return;
    switch (event.type) {
      case 'settings.changed':
        append(facts.changes, event.changes);
        // A change after the scoring applies from the next epoch, whose start records it.
        if (facts.scored === null) facts.curriculum = curriculumAfter(facts.curriculum, event);
        return;
      case 'tasks.generated':
        facts.generated = event;
        return;
      case 'rollouts.finished':
        facts.late += event.late?.length ?? 0;
        return;
      case 'families.scored':
        facts.scored = { ...event, families: [] };
        facts.families = event.families.length;
        facts.pooled = this.#grow(event, facts.curriculum.lambda);
        return;
      case 'agent.updated':
        facts.agentUpdates += 1;
        facts.agentSkipped = null;
        return;
      case 'agent.skipped':
        // Of several rounds one that taught something is enough.
        if (facts.agentUpdates === 0) facts.agentSkipped = event.reason;
        return;
      case 'environment.skipped':
        facts.environmentSkipped = event.reason;
        return;
      case 'pools.grown':
        facts.pools = event;
        return;
      case 'validated':
        facts.validation = event.successRate;
        return;
      case 'epoch.finished':
        facts.summary = event.summary;
    }
  }

  #grow({ families }: EventOf<'families.scored'>, lambda: number): number {
    const before = this.#pool.instances;
    for (const { successRate, tasks, domain } of families) {
      const part = domain === undefined ? null : this.#partOf(domain);
      for (const { weight, environmentReward } of tasks) {
        if (weight === 0 || environmentReward === null) continue;
        const exponent = lambda * environmentReward;
        this.#shrink(this.#scale.shrinks(exponent));
        const own = this.#scale.of(exponent);
        this.#pool.instances += 1;
        this.#pool.successRates += successRate.p ?? 0;
        this.#pool.weight += own;
        this.#pool.squares += own ** 2;
        if (part === null) continue;
        part.instances += 1;
        part.successRates += successRate.p ?? 0;
        part.weight += own;
      }
    }
    return this.#pool.instances - before;
  }

  #shrink(by: number): void {
    if (by === 1) return;
    this.#pool.weight *= by;
    this.#pool.squares *= by ** 2;
    for (const part of this.#poolOf.values()) part.weight *= by;
  }

  #partOf(domain: string): { instances: number; successRates: number; weight: number } {
    const known = this.#poolOf.get(domain) ?? { instances: 0, successRates: 0, weight: 0 };
    this.#poolOf.set(domain, known);
    return known;
  }
}

type InEpoch = Exclude<JournalEvent, { type: 'run.started' | 'run.finished' | 'epoch.started' }>;

const emptyFacts = ({ epoch, settings, versions }: EventOf<'epoch.started'>): EpochFacts => ({
  epoch,
  curriculum: settings,
  changes: [],
  versions,
  generated: null,
  scored: null,
  families: 0,
  late: 0,
  pooled: 0,
  environmentSkipped: null,
  agentUpdates: 0,
  agentSkipped: null,
  pools: null,
  validation: null,
  summary: null,
});

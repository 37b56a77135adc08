/**
 * The guard against difficulty that stands still while success does: each policy keeps the other where it is, and a p̂ at α
 * looks like progress that is none. Difficulty is the first of a domain's measures, as studies take it.
 */
import * as l10n from '@vscode/l10n';
import { studentQuantile } from '../../../engine/math/paired/student.ts';
import type { EventOf, FamilyScore } from '../../../shared/journal/events.ts';
import type { SuccessRate } from '../../../shared/journal/scores.ts';
import { growthOf } from '../../../shared/report/growth.ts';
import { ofDomain, type GuardFinding } from './guardFinding.ts';
import { rate, significant } from '../../../shared/text/figures/numbers.ts';

/**
 * Epochs looked at; the share of them whose p̂ may be in the band, by its interval; and growth over them, in standard
 * deviations of an epoch's families, that tasks must be shown not to reach.
 */
const still = { epochs: 20, inBand: 0.95, growth: 0.5 };
/** Families that are all alike have no deviation: this share of their measure stands for it. */
const least = 0.05;

interface Epoch {
  epoch: number;
  value: number;
  successes: number;
  attempts: number;
  inBand: boolean;
  deviation: number;
}

interface Band {
  alpha: number;
  kMin: number;
}

const mayBeIn = ({ low, high }: SuccessRate, { alpha, kMin }: Band): boolean =>
  low <= alpha + kMin && high >= alpha - kMin;

export class PlateauGuard {
  /** By domain; '' where a run has one. */
  readonly #domains = new Map<string, OnePlateau>();

  add({ epoch, families, successRate, domains = [] }: EventOf<'families.scored'>, band: Band): void {
    for (const [domain, own] of Map.groupBy(families, (family) => family.domain ?? '')) {
      const known = this.#domains.get(domain) ?? new OnePlateau(domain);
      this.#domains.set(domain, known);
      const rate = domains.find((one) => one.domain === domain)?.successRate ?? successRate;
      known.add(epoch, own, mayBeIn(rate, band));
    }
  }

  /** Epochs before had another judge. */
  forget(): void {
    this.#domains.clear();
  }

  /** Of several domains the first one is named. */
  finding(): GuardFinding | null {
    return [...this.#domains.values()].map((one) => one.finding()).find((found) => found !== null) ?? null;
  }
}

class OnePlateau {
  readonly #domain: string;
  #measure: string | null = null;
  #epochs: Epoch[] = [];
  #since: number | null = null;
  /** Growth over the epochs looked at, at the same success, and the most that it may be (97.5 %). */
  #growth = { at: 0, most: 0 };

  constructor(domain: string) {
    this.#domain = domain;
  }

  add(epoch: number, families: readonly FamilyScore[], inBand: boolean): void {
    const measure = (this.#measure ??= families.flatMap(({ complexity }) => Object.keys(complexity))[0] ?? null);
    if (measure === null) return;
    const measured = families.filter(({ successRate }) => successRate.attempts > 0);
    const values = measured.flatMap(({ complexity }) => complexity[measure] ?? []);
    if (values.length === 0) return;
    const value = mean(values);
    const successes = measured.reduce((sum, { successRate }) => sum + successRate.successes, 0);
    const attempts = measured.reduce((sum, { successRate }) => sum + successRate.attempts, 0);
    const deviation = Math.sqrt(mean(values.map((one) => (one - value) ** 2)));
    this.#epochs = [...this.#epochs, { epoch, value, successes, attempts, inBand, deviation }].slice(-still.epochs);
    this.#look();
  }

  #look(): void {
    const [first] = this.#epochs;
    const last = this.#epochs.at(-1);
    const growth = this.#epochs.length < still.epochs ? null : growthOf(this.#epochs);
    if (growth === null || first === undefined || last === undefined) return;
    const span = last.epoch - first.epoch;
    const at = growth.slope * span;
    const most = at + studentQuantile(0.975, growth.freedom) * growth.error * span;
    // A measure that never changes does not tell of difficulty.
    const varies = this.#epochs.some(({ deviation, value }) => deviation > 0 || value !== first.value);
    const constant = mean(this.#epochs.map(({ inBand }) => Number(inBand))) >= still.inBand;
    const unit = Math.max(
      mean(this.#epochs.map(({ deviation }) => deviation)),
      least * Math.abs(mean(this.#epochs.map(({ value }) => value))),
    );
    // Once it stands still it does so until it is likelier than not to grow.
    const stands = (this.#since === null ? most : at) < still.growth * unit;
    this.#growth = { at, most };
    if (varies && constant && stands) this.#since ??= first.epoch;
    else this.#since = null;
  }

  finding(): GuardFinding | null {
    if (this.#since === null || this.#measure === null) return null;
    const [successes, attempts] = [
      this.#epochs.reduce((sum, one) => sum + one.successes, 0),
      this.#epochs.reduce((sum, one) => sum + one.attempts, 0),
    ];
    return {
      guard: 'plateau',
      since: this.#since,
      message: ofDomain(
        this.#domain === '' ? null : this.#domain,
        l10n.t(
          'p̂ stays in the band ({0} over {1} epochs), but tasks do not get harder: {2} {3} on average; at the same success they changed by {4} (at most {5}) over these epochs.',
          rate(successes / attempts),
          still.epochs,
          this.#measure,
          significant(mean(this.#epochs.map(({ value }) => value)), 2),
          significant(this.#growth.at, 2),
          significant(this.#growth.most, 2),
        ),
      ),
      remedy: l10n.t(
        'See whether validation still rises. If not, raise agent.learningRate, or generation.temperature for bolder tasks; or stop the run here.',
      ),
      field: 'agent.learningRate',
    };
  }
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

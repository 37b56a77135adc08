/**
 * Guards over an epoch's tasks by the vectors of an embedding server, which also see the same task in other words: they
 * collapse, or leave the subject of their seeds. Silent without a server, and in epochs in which it failed.
 */
import * as l10n from '@vscode/l10n';
import type { WrittenQuality } from '../../../shared/journal/quality.ts';
import { ofDomain, type GuardFinding } from './guardFinding.ts';
import { Streak } from './streak.ts';
import { percent } from '../../../shared/text/figures/shares.ts';

/** Epochs in a row before an alarm: one epoch may be chance. */
const streak = 2;
/** Fewer tasks say nothing. */
const fewest = 16;
/** Share of the tasks in one cluster that is a collapse, and how many times that of their seeds. */
const collapse = { share: 0.5, times: 2 };
/**
 * A drift, in parts of the mean distance of two seeds: distance to the own seed; to the nearest one, since a task may be
 * more like another seed; and how many times that of the first epochs, since a domain may have its tasks written far from
 * their seeds from the start. Held to its false alarms by `test/unit/runs/meaningGuards.test.ts`.
 */
const drift = { own: 0.6, nearest: 0.5, times: 1.5, first: 2 };

export class MeaningGuards {
  readonly #trains: boolean;
  /** One of several; its findings name it. */
  readonly #domain: string | null;
  readonly #collapsed = new Streak();
  readonly #drifted = new Streak();
  /** Distances to the nearest seed in the first epochs. */
  readonly #began: number[] = [];
  #epoch = 0;
  #largest = 0;
  #far = 0;

  constructor(trains: boolean, domain: string | null) {
    this.#trains = trains;
    this.#domain = domain;
  }

  add(epoch: number, { tasks, embedded }: WrittenQuality): void {
    if (tasks < fewest || embedded === undefined || 'failure' in embedded || embedded.clusters === null) return;
    this.#epoch = epoch;
    this.#largest = embedded.clusters.largest;
    this.#collapsed.add(
      epoch,
      this.#largest >= collapse.share && this.#largest >= collapse.times * embedded.clusters.seeds,
    );
    // `reach` is half of the mean distance of two seeds.
    const whole = 2 * embedded.clusters.reach;
    const [own, nearest] = [embedded.seedDistance.own / whole, embedded.seedDistance.nearest / whole];
    this.#far = own;
    if (this.#began.length < drift.first) this.#began.push(nearest);
    const before = this.#began.reduce((sum, far) => sum + far, 0) / this.#began.length;
    this.#drifted.add(epoch, own >= drift.own && nearest >= drift.nearest && nearest >= drift.times * before);
  }

  collapse(): GuardFinding | null {
    const { since, length } = this.#collapsed;
    if (since === null || length < streak) return null;
    return {
      guard: 'collapse-of-meaning',
      since,
      message: ofDomain(
        this.#domain,
        l10n.t(
          'Collapse by meaning: {0} of epoch {1}’s tasks mean nearly the same, though their words and seeds differ; so it has been for {2} epochs.',
          percent(this.#largest),
          this.#epoch,
          length,
        ),
      ),
      remedy: againstCollapse(this.#trains),
      field: this.#trains ? 'environment.klCoefficient' : 'generation.temperature',
    };
  }

  drift(): GuardFinding | null {
    const { since, length } = this.#drifted;
    if (since === null || length < streak) return null;
    return {
      guard: 'drift-of-meaning',
      since,
      message: ofDomain(
        this.#domain,
        l10n.t(
          'Drift by meaning: epoch {0}’s tasks are {1} as far from their seeds as two seeds are from each other, and began nearer; so it has been for {2} epochs.',
          this.#epoch,
          percent(this.#far),
          length,
        ),
      ),
      remedy: this.#trains
        ? l10n.t(
            'See whether the tasks still are of the subject. Raise environment.klCoefficient or environment.baseShare, or have the domain’s verify refuse what is not.',
          )
        : l10n.t('See whether the tasks still are of the subject, and have the domain’s verify refuse what is not.'),
      field: this.#trains ? 'environment.klCoefficient' : 'domain.file',
    };
  }
}

/** @param trains whether the environment is trained */
export const againstCollapse = (trains: boolean): string =>
  trains
    ? l10n.t(
        'Raise environment.klCoefficient, environment.baseShare or generation.temperature, or lower curriculum.lambda.',
      )
    : l10n.t('Raise generation.temperature, or let another model write the tasks.');

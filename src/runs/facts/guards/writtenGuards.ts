/** Guards over well-formed texts of the environment: it collapses, or it writes the run's measurement tasks. */
import * as l10n from '@vscode/l10n';
import type { EventOf } from '../../../shared/journal/events.ts';
import { againstCollapse, MeaningGuards } from './meaningGuards.ts';
import { Streak } from './streak.ts';
import { ofDomain, type GuardFinding } from './guardFinding.ts';
import { percent } from '../../../shared/text/figures/shares.ts';

/** Epochs in a row before an alarm: one epoch may be chance. */
const streak = 2;
/**
 * Share of the tasks in one cluster that is a collapse, and how many times that of their seeds; fewer tasks say nothing. Held
 * to its false alarms by `test/unit/runs/collapse.test.ts`.
 */
const collapse = { share: 0.5, times: 2, fewest: 16 };
/** Share of the texts that is worth a word when they are held-out tasks, or nearly; fewer texts say nothing. */
const heldOut = { share: 0.1, fewest: 8 };

type Written = Pick<EventOf<'tasks.generated'>, 'epoch' | 'written' | 'rejected' | 'quality'>;

/** Of a run's texts: of all, and of each of several domains, which may collapse while the whole does not. */
export class WrittenGuards {
  readonly #trains: boolean;
  readonly #all: OneWritten;
  readonly #domains = new Map<string, OneWritten>();

  /** @param trains whether the environment is trained, which changes the remedy */
  constructor(trains: boolean) {
    this.#trains = trains;
    this.#all = new OneWritten(trains, null);
  }

  add({ domains = [], ...event }: EventOf<'tasks.generated'>): void {
    this.#all.add(event);
    for (const { domain, ...own } of domains) {
      const known = this.#domains.get(domain) ?? new OneWritten(this.#trains, domain);
      this.#domains.set(domain, known);
      known.add({ epoch: event.epoch, ...own });
    }
  }

  /** A finding of all domains is not repeated for one; of several domains the first is named. */
  findings(): (GuardFinding | null)[] {
    const of = (kind: 'collapse' | 'heldOut' | 'collapseOfMeaning' | 'driftOfMeaning'): GuardFinding | null =>
      [this.#all, ...this.#domains.values()].map((one) => one[kind]()).find((found) => found !== null) ?? null;
    return [of('collapse'), of('heldOut'), of('collapseOfMeaning'), of('driftOfMeaning')];
  }
}

class OneWritten {
  readonly #trains: boolean;
  /** One of several; its findings name it. */
  readonly #domain: string | null;
  readonly #collapsed = new Streak();
  readonly #refused = new Streak();
  readonly #meaning: MeaningGuards;
  #epoch = 0;
  #largest = 0;
  #share = 0;

  constructor(trains: boolean, domain: string | null) {
    this.#trains = trains;
    this.#domain = domain;
    this.#meaning = new MeaningGuards(trains, domain);
  }

  add({ epoch, written, rejected, quality }: Written): void {
    if (written >= heldOut.fewest) {
      this.#share = (rejected['held-out'] ?? 0) / written;
      this.#refused.add(epoch, this.#share >= heldOut.share);
    }
    if (quality !== undefined) this.#meaning.add(epoch, quality);
    if (quality === undefined || quality.tasks < collapse.fewest) return;
    const { largest, seeds } = quality.clusters;
    this.#epoch = epoch;
    this.#largest = largest;
    this.#collapsed.add(epoch, largest >= collapse.share && largest >= collapse.times * seeds);
  }

  collapse(): GuardFinding | null {
    const { since, length } = this.#collapsed;
    if (since === null || length < streak) return null;
    return {
      guard: 'collapse',
      since,
      message: ofDomain(
        this.#domain,
        l10n.t(
          'Collapse: {0} of epoch {1}’s tasks fall in one cluster, though their seeds differ; so it has been for {2} epochs.',
          percent(this.#largest),
          this.#epoch,
          length,
        ),
      ),
      remedy: againstCollapse(this.#trains),
      field: this.#trains ? 'environment.klCoefficient' : 'generation.temperature',
    };
  }

  /** Of tasks that collapse by their words, too, only that is said. */
  collapseOfMeaning(): GuardFinding | null {
    return this.collapse() === null ? this.#meaning.collapse() : null;
  }

  /** Tasks that collapse leave their seeds, too: that is not said beside it. */
  driftOfMeaning(): GuardFinding | null {
    return this.collapse() === null && this.#meaning.collapse() === null ? this.#meaning.drift() : null;
  }

  heldOut(): GuardFinding | null {
    const { since, length } = this.#refused;
    if (since === null || length < streak) return null;
    return {
      guard: 'held-out',
      since,
      message: ofDomain(
        this.#domain,
        l10n.t(
          '{0} of the environment’s texts were refused as held-out tasks, or nearly, now for {1} epochs.',
          percent(this.#share),
          length,
        ),
      ),
      remedy: l10n.t('Name seed tasks that are further from the held-out ones, or let another model write the tasks.'),
      field: 'domain.seeds',
    };
  }
}

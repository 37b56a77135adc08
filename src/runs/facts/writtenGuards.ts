/** Guards over what the environment writes, though it is well-formed: it collapses, or it is what the run measures with. */
import type { EventOf } from '../../shared/journal/events.ts';
import { Streak } from './streak.ts';
import type { GuardFinding } from './guardFinding.ts';

/** Epochs in a row before an alarm: one epoch may be chance. */
const streak = 2;
/**
 * Share of the tasks in one cluster that is a collapse, and how many times that of their seeds; fewer tasks say nothing. Held
 * to its false alarms by `test/unit/runs/collapse.test.ts`.
 */
const collapse = { share: 0.5, times: 2, fewest: 16 };
/** Share of the texts that is worth a word when they are held-out tasks, or nearly; fewer texts say nothing. */
const heldOut = { share: 0.1, fewest: 8 };

export class WrittenGuards {
  readonly #trains: boolean;
  readonly #collapsed = new Streak();
  readonly #heldOut = new Streak();
  #epoch = 0;
  #largest = 0;
  #share = 0;

  /** @param trains whether the environment is trained: what helps depends on that */
  constructor(trains: boolean) {
    this.#trains = trains;
  }

  add({ epoch, written, rejected, quality }: EventOf<'tasks.generated'>): void {
    if (written >= heldOut.fewest) {
      this.#share = (rejected['held-out'] ?? 0) / written;
      this.#heldOut.add(epoch, this.#share >= heldOut.share);
    }
    if (quality === undefined || quality.tasks < collapse.fewest) return;
    const { largest, seeds } = quality.clusters;
    this.#epoch = epoch;
    this.#largest = largest;
    this.#collapsed.add(epoch, largest >= collapse.share && largest >= collapse.times * seeds);
  }

  findings(): (GuardFinding | null)[] {
    return [this.#collapseFinding(), this.#heldOutFinding()];
  }

  #collapseFinding(): GuardFinding | null {
    const { since, length } = this.#collapsed;
    if (since === null || length < streak) return null;
    return {
      guard: 'collapse',
      since,
      message: `Collapse: ${percent(this.#largest)} of epoch ${this.#epoch}’s tasks fall in one cluster, though their seeds differ; so it has been for ${length} epochs.`,
      remedy: this.#trains
        ? 'Raise environment.klCoefficient, environment.baseShare or generation.temperature, or lower curriculum.lambda.'
        : 'Raise generation.temperature, or let another model write the tasks.',
      field: this.#trains ? 'environment.klCoefficient' : 'generation.temperature',
    };
  }

  #heldOutFinding(): GuardFinding | null {
    const { since, length } = this.#heldOut;
    if (since === null || length < streak) return null;
    return {
      guard: 'held-out',
      since,
      message: `${percent(this.#share)} of the environment’s texts were refused as held-out tasks, or nearly, now for ${length} epochs.`,
      remedy: 'Name seed tasks that are further from the held-out ones, or let another model write the tasks.',
      field: 'domain.seeds',
    };
  }
}

const percent = (share: number): string => `${(100 * share).toFixed(0)} %`;

/**
 * Guards over a run's course, each over many epochs: success that swings, a drift that nears its cap, difficulty that stands
 * still, a policy without entropy. Their rates of false alarms and of hits are held by `test/unit/runs/courseGuards.test.ts`.
 */
import * as l10n from '@vscode/l10n';
import { largest } from '../../../shared/extremes.ts';
import type { EventOf, JournalEvent } from '../../../shared/journal/events.ts';
import { measureChange } from '../../../shared/journal/measures.ts';
import { changesOf } from '../../journal/experimentNow.ts';
import type { GuardFinding } from './guardFinding.ts';
import { PlateauGuard } from './plateauGuard.ts';
import { levelRate } from '../schedule/levelRate.ts';
import { Streak } from './streak.ts';
import { significant } from '../../../shared/text/figures/numbers.ts';

/** Turns from clearly above α to clearly below it, or back, within so many epochs; smaller shares of k_min harm nothing. */
const swings = { turns: 3, epochs: 16, share: 0.5 };
/**
 * Of the last updates, pairs that rise less pairs that fall (Kendall's S; one of 15 pairs may fall), from this share of the
 * cap on.
 */
const rising = { updates: 6, least: 13, near: 0.75 };
/** Nats per token, and the share of what a policy began with, under which its entropy is gone; epochs in a row. */
const gone = { nats: 0.02, share: 0.1, epochs: 3 };
/** Measurements that say what a policy began with. */
const beginnings = 3;

export class CourseGuards {
  readonly #swing: SwingGuard;
  readonly #drift: DriftGuard;
  readonly #plateau: PlateauGuard | null;
  readonly #agent = new EntropyGuard('agent');
  readonly #environment = new EntropyGuard('environment');
  #alpha: number | null = null;
  #kMin = 0;

  /**
   * @param trains whether the environment is trained, which changes the remedy
   * @param capIn `environment.totalKlCap` in an epoch
   */
  constructor(trains: boolean, capIn: (epoch: number) => number | null) {
    this.#swing = new SwingGuard(trains);
    this.#drift = new DriftGuard(capIn);
    this.#plateau = trains ? new PlateauGuard() : null;
  }

  add(event: JournalEvent): void {
    switch (event.type) {
      case 'epoch.started':
        this.#alpha = event.settings.alpha;
        this.#kMin = event.settings.kMin;
        return;
      case 'settings.changed':
        // A branch's shared epochs had another judge.
        if (measureChange('attempts', changesOf(event)) === null) return;
        this.#swing.forget();
        this.#plateau?.forget();
        return;
      case 'families.scored':
        if (this.#alpha === null) return;
        this.#swing.add(event, { alpha: this.#alpha, kMin: this.#kMin });
        this.#plateau?.add(event, { alpha: this.#alpha, kMin: this.#kMin });
        return;
      case 'agent.updated':
        this.#agent.add(event.entropy);
        return;
      case 'environment.updated':
        this.#drift.add(event);
        this.#environment.add(event.entropy ?? null);
        return;
      case 'epoch.finished':
        this.#agent.end(event.epoch);
        this.#environment.end(event.epoch);
        return;
      default:
        return;
    }
  }

  findings(): (GuardFinding | null)[] {
    return [
      this.#swing.finding(),
      this.#drift.finding(),
      this.#plateau?.finding() ?? null,
      this.#agent.finding(),
      this.#environment.finding(),
    ];
  }
}

interface Band {
  alpha: number;
  kMin: number;
}

/** p̂ that is clearly above α and clearly below it in turn: its interval leaves α out, and half of the band lies between. */
class SwingGuard {
  readonly #trains: boolean;
  #alpha: number | null = null;
  #side: 'above' | 'below' | null = null;
  /** Epochs in which it was on the other side than before. */
  #turns: number[] = [];
  #since: number | null = null;

  constructor(trains: boolean) {
    this.#trains = trains;
  }

  add({ epoch, families, successRate }: EventOf<'families.scored'>, { alpha, kMin }: Band): void {
    const p = levelRate({ families, successRate });
    const moved = (p ?? 0) - (successRate.p ?? 0);
    const [low, high] = [successRate.low + moved, successRate.high + moved];
    // Another α is another question.
    if (this.#alpha !== alpha) this.forget();
    this.#alpha = alpha;
    if (p === null) return;
    const far = Math.abs(p - alpha) >= swings.share * kMin;
    const side = far && low > alpha ? 'above' : far && high < alpha ? 'below' : this.#side;
    if (this.#side !== null && side !== this.#side) this.#turns.push(epoch);
    this.#side = side;
    this.#turns = this.#turns.filter((turn) => turn > epoch - swings.epochs);
    if (this.#turns.length < swings.turns) this.#since = null;
    else this.#since ??= this.#turns[0] ?? epoch;
  }

  forget(): void {
    [this.#side, this.#turns] = [null, []];
  }

  finding(): GuardFinding | null {
    if (this.#since === null || this.#alpha === null) return null;
    return {
      guard: 'oscillation',
      since: this.#since,
      message: l10n.t(
        'p̂ swings around α = {0}: within {1} epochs it went {2} times from clearly above to clearly below, or back.',
        this.#alpha,
        swings.epochs,
        this.#turns.length,
      ),
      remedy: this.#trains
        ? l10n.t(
            'Lower environment.learningRate or environment.steps, or raise environment.bufferEpochs, so that the environment follows the agent more slowly.',
          )
        : l10n.t(
            'Lower agent.learningRate, or raise generation.families, so that each epoch meets a wider choice of tasks.',
          ),
      field: this.#trains ? 'environment.learningRate' : 'agent.learningRate',
    };
  }
}

/** KL from the start that rises steadily and is near the total cap. Without a cap there is no scale for it. */
class DriftGuard {
  readonly #capIn: (epoch: number) => number | null;
  /** At the newest update. */
  #cap: number | null = null;
  #kls: number[] = [];
  #since: number | null = null;

  constructor(capIn: (epoch: number) => number | null) {
    this.#capIn = capIn;
  }

  add({ epoch, kl: { initial }, stoppedBy }: EventOf<'environment.updated'>): void {
    if (initial === null) return;
    this.#cap = this.#capIn(epoch);
    this.#kls = [...this.#kls.slice(1 - rising.updates), initial];
    // At the cap there is another guard: `kl-cap`.
    const near = this.#cap !== null && stoppedBy !== 'total-cap' && initial >= rising.near * this.#cap;
    const goesOn = this.#since !== null && this.#pace > 0;
    if (near && (goesOn || (this.#kls.length === rising.updates && kendall(this.#kls) >= rising.least))) {
      this.#since ??= epoch;
    } else this.#since = null;
  }

  /** Nats per token an update. */
  get #pace(): number {
    return ((this.#kls.at(-1) ?? 0) - (this.#kls[0] ?? 0)) / Math.max(1, this.#kls.length - 1);
  }

  finding(): GuardFinding | null {
    const now = this.#kls.at(-1);
    if (this.#since === null || this.#cap === null || now === undefined) return null;
    const left = Math.max(1, Math.ceil((this.#cap - now) / this.#pace - 1e-9));
    return {
      guard: 'drift',
      since: this.#since,
      message: l10n.t(
        'The environment drifts: its KL from the start rises steadily and is {0} nats per token, {1} % of environment.totalKlCap. At this pace it is there in {2}; from then on each update is led back.',
        significant(now, 2),
        Math.round((100 * now) / this.#cap),
        left === 1 ? l10n.t('1 update') : l10n.t('{0} updates', left),
      ),
      remedy: l10n.t(
        'Raise environment.klCoefficient or lower environment.learningRate, so that it stays; where its tasks are good, raise environment.totalKlCap.',
      ),
      field: 'environment.klCoefficient',
    };
  }
}

/** Pairs in which the later value is larger, less those in which it is smaller. */
function kendall(values: readonly number[]): number {
  return values.reduce(
    (sum, value, i) => values.slice(i + 1).reduce((all, later) => all + Math.sign(later - value), sum),
    0,
  );
}

/** A policy that says nearly the same whatever it is asked for. */
class EntropyGuard {
  readonly #policy: 'agent' | 'environment';
  readonly #gone = new Streak();
  #first: number[] = [];
  #last: number | null = null;
  /** Of the epoch's last update; null where it had none. */
  #measured: number | null = null;

  constructor(policy: 'agent' | 'environment') {
    this.#policy = policy;
  }

  add(entropy: number | null): void {
    this.#measured = entropy;
  }

  /** An epoch is over, whatever rounds of updates it had. */
  end(epoch: number): void {
    const entropy = this.#measured;
    this.#measured = null;
    // An epoch without an update leaves the policy as it is.
    if (entropy === null) return;
    if (this.#first.length < beginnings) this.#first.push(entropy);
    this.#last = entropy;
    this.#gone.add(epoch, entropy < gone.nats && entropy < gone.share * this.#beginning);
  }

  get #beginning(): number {
    return largest(this.#first);
  }

  finding(): GuardFinding | null {
    const { since, length } = this.#gone;
    if (since === null || length < gone.epochs || this.#last === null) return null;
    const fell = [significant(this.#last, 2), significant(this.#beginning, 2), length];
    if (this.#policy === 'agent') {
      return {
        guard: 'agent-entropy',
        since,
        message: l10n.t(
          'The agent’s entropy has fallen to {0} nats per token, from {1} at the start, and stays there for {2} updates: its attempts at a task are nearly the same, and equal attempts teach nothing.',
          ...fell,
        ),
        remedy: l10n.t(
          'Lower agent.learningRate, or raise agent.klCoefficient or rollouts.temperature; branch from an epoch before it fell.',
        ),
        field: 'agent.klCoefficient',
      };
    }
    return {
      guard: 'environment-entropy',
      since,
      message: l10n.t(
        'The environment’s entropy has fallen to {0} nats per token, from {1} at the start, and stays there for {2} updates: it writes nearly the same text whenever it is asked.',
        ...fell,
      ),
      remedy: l10n.t(
        'Lower environment.learningRate, or raise environment.klCoefficient, environment.baseShare or generation.temperature; branch from an epoch before it fell.',
      ),
      field: 'environment.klCoefficient',
    };
  }
}

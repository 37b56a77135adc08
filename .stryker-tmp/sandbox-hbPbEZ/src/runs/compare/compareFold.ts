/** A run's journal folded into what a comparison of runs shows: one row a finished epoch, and its validations. */
import type { EventOf, JournalEvent } from '../../shared/journal/events.ts';
import type { FieldChange } from '../../shared/experiment/changeable.ts';
import type { ComparedEpoch, ComparedValidation } from '../../shared/views/compare.ts';

type Spent = ComparedEpoch['spent'];

/** A change made on the way. */
export type Change = FieldChange & { epoch: number };

export class CompareFold {
  readonly epochs: ComparedEpoch[] = [];
  readonly validations: ComparedValidation[] = [];
  readonly changes: Change[] = [];
  readonly #outcomes = new Map<number, string>();
  #spent: Spent = { rollouts: 0, tokens: 0, seconds: 0 };
  #seq = -1;

  /** Events that were taken before are left out. */
  add(event: JournalEvent): void {
    if (event.seq <= this.#seq) return;
    this.#seq = event.seq;
    switch (event.type) {
      case 'tasks.generated':
        this.#spend({ tokens: event.tokens, seconds: event.seconds });
        return;
      case 'rollouts.finished':
        this.#spend({ tokens: event.tokens, seconds: event.seconds, rollouts: event.rollouts });
        return;
      case 'agent.updated':
      case 'environment.updated':
        this.#spend({ seconds: event.seconds });
        return;
      case 'validated':
        this.#addValidation(event);
        return;
      case 'epoch.finished':
        this.#addEpoch(event);
        return;
      case 'settings.changed':
        this.changes.push(...event.changes.map((change) => ({ ...change, epoch: event.epoch })));
        return;
      default:
        return;
    }
  }

  /** One character a task, `1` solved; undefined where there was no validation. */
  outcomes(epoch: number): string | undefined {
    return this.#outcomes.get(epoch);
  }

  #spend({ rollouts = 0, tokens = 0, seconds = 0 }: Partial<Spent>): void {
    const before = this.#spent;
    this.#spent = {
      rollouts: before.rollouts + rollouts,
      tokens: before.tokens + tokens,
      seconds: before.seconds + seconds,
    };
  }

  #addValidation({ epoch, successRate, outcomes, tokens, seconds }: EventOf<'validated'>): void {
    this.#spend({ tokens, seconds });
    this.#outcomes.set(epoch, outcomes);
    this.validations.push({ epoch, successRate, spent: this.#spent });
  }

  #addEpoch({ epoch, summary }: EventOf<'epoch.finished'>): void {
    const { successRate, inBand, environmentReward, taskLength, answerLength, kl, tokens, seconds } = summary;
    this.epochs.push({
      epoch,
      spent: this.#spent,
      successRate: successRate.p === null ? null : successRate,
      ...{ inBand, environmentReward, taskLength, answerLength, tokens, seconds },
      klAgent: kl.agent,
      klEnvironment: kl.environment,
    });
  }
}

/** A run's journal folded for a comparison of runs: one row a finished epoch, and its validations. */
import { append } from '../../../shared/append.ts';
import { madeIn } from '../../../shared/journal/dropped.ts';
import type { EventOf, JournalEvent } from '../../../shared/journal/events.ts';
import type { FieldChange } from '../../../shared/experiment/changeable.ts';
import type { ComparedEpoch, ComparedValidation } from '../contract.ts';
import { WorkedTime } from '../../../runs/facts/workedTime.ts';

type Spent = ComparedEpoch['spent'];

/** Of an epoch's updates, what its summary leaves out. */
type Trained = Pick<ComparedEpoch, 'entropyAgent' | 'entropyEnvironment' | 'gradNormAgent' | 'gradNormEnvironment'>;

const untrained: Trained = {
  entropyAgent: null,
  entropyEnvironment: null,
  gradNormAgent: null,
  gradNormEnvironment: null,
};

/** A change made on the way. */
export type Change = FieldChange & { epoch: number };

export class CompareFold {
  readonly epochs: ComparedEpoch[] = [];
  readonly validations: ComparedValidation[] = [];
  readonly changes: Change[] = [];
  readonly #outcomes = new Map<number, string>();
  /** Of epochs that have not finished. */
  readonly #trained = new Map<number, Trained>();
  readonly #worked = new WorkedTime();
  #spent = { rollouts: 0, tokens: 0 };
  #seq = -1;

  /** Skips events that were taken before. */
  add(event: JournalEvent): void {
    if (event.seq <= this.#seq) return;
    this.#seq = event.seq;
    this.#worked.add(event);
    switch (event.type) {
      case 'tasks.generated':
      case 'evaluated':
        this.#spent.tokens += event.tokens;
        return;
      case 'rollouts.finished':
        this.#spent.tokens += madeIn(event).tokens;
        this.#spent.rollouts += madeIn(event).rollouts;
        return;
      case 'agent.updated':
        this.#addTrained(event.epoch, { entropyAgent: event.entropy, gradNormAgent: event.gradNorm });
        return;
      case 'environment.updated':
        this.#addTrained(event.epoch, {
          entropyEnvironment: event.entropy ?? null,
          gradNormEnvironment: event.gradNorm,
        });
        return;
      case 'validated':
        this.#addValidation(event);
        return;
      case 'epoch.finished':
        this.#addEpoch(event);
        return;
      case 'settings.changed':
        append(
          this.changes,
          event.changes.map((change) => ({ ...change, epoch: event.epoch })),
        );
        return;
      default:
        return;
    }
  }

  /** One character a task, `1` solved; undefined without a validation. */
  outcomes(epoch: number): string | undefined {
    return this.#outcomes.get(epoch);
  }

  get #soFar(): Spent {
    return { ...this.#spent, seconds: this.#worked.seconds };
  }

  #addValidation({ epoch, successRate, outcomes, tokens, domains }: EventOf<'validated'>): void {
    this.#spent.tokens += tokens;
    this.#outcomes.set(epoch, outcomes);
    const own = domains?.map(({ domain, successRate: rate }) => ({ domain, successRate: rate }));
    this.validations.push({ epoch, successRate, spent: this.#soFar, ...(own && { domains: own }) });
  }

  /** Of several updates of the agent the last counts. */
  #addTrained(epoch: number, trained: Partial<Trained>): void {
    this.#trained.set(epoch, { ...(this.#trained.get(epoch) ?? untrained), ...trained });
  }

  #addEpoch({ epoch, summary }: EventOf<'epoch.finished'>): void {
    const { successRate, inBand, environmentReward, taskLength, answerLength, kl, tokens, domains } = summary;
    this.epochs.push({
      epoch,
      spent: this.#soFar,
      successRate: successRate.p === null ? null : successRate,
      ...{ inBand, environmentReward, taskLength, answerLength, tokens, seconds: this.#worked.epoch.seconds },
      klAgent: kl.agent,
      klEnvironment: kl.environment,
      ...(this.#trained.get(epoch) ?? untrained),
      ...(domains && {
        domains: domains.map(({ domain, successRate: own, inBand: inside, environmentReward: reward }) => ({
          ...{ domain, successRate: own.p === null ? null : own, inBand: inside, environmentReward: reward },
        })),
      }),
    });
    this.#trained.delete(epoch);
  }
}

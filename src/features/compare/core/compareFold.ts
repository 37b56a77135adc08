/** A run's journal folded for a comparison of runs: one row a finished epoch, and its validations. */
import type { MeasuredTasks } from '../../../engine/math/paired/taskTries.ts';
import { append } from '../../../shared/append.ts';
import { defined } from '../../../shared/defined.ts';
import { knownSum } from '../../../shared/money/knownSum.ts';
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
  readonly #measured = new Map<number, MeasuredTasks>();
  /** Of epochs that have not finished. */
  readonly #trained = new Map<number, Trained>();
  readonly #worked = new WorkedTime();
  readonly #spent: Omit<Spent, 'seconds'> = { rollouts: 0, tokens: 0 };
  #seq = -1;

  /** Skips events that were taken before. */
  add(event: JournalEvent): void {
    if (event.seq <= this.#seq) return;
    this.#seq = event.seq;
    this.#worked.add(event);
    switch (event.type) {
      case 'tasks.generated':
      case 'evaluated':
        this.#addTokens(event.tokens);
        return;
      case 'rollouts.finished':
        this.#addTokens(madeIn(event).tokens);
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

  /** Undefined without a validation. */
  measured(epoch: number): MeasuredTasks | undefined {
    return this.#measured.get(epoch);
  }

  get #soFar(): Spent {
    return { ...this.#spent, seconds: this.#worked.seconds };
  }

  #addTokens(tokens: number | null): void {
    this.#spent.tokens = knownSum(this.#spent.tokens, tokens);
  }

  #addValidation({ epoch, successRate, outcomes, tries, tokens, domains }: EventOf<'validated'>): void {
    this.#addTokens(tokens);
    this.#measured.set(epoch, { successRate, outcomes, ...defined({ tries }) });
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

/** A domain that ships as a domain file of the contract (docs/domains.md): ours, so its functions are called right here. */
import { plainWords, questionOf, type Recipe } from '../../benchmarks/recipes/recipe.ts';
import { TaskFault } from '../../benchmarks/taskFault.ts';
import type { GenerationContext } from '../../engine/ports.ts';
import { readDraft, readPrompt, readSeeds, readVerified, type Read } from '../../shared/domains/given.ts';
import type { Message } from '../../shared/records/message.ts';
import type { Task, TaskDraft } from '../../shared/records/task.ts';
import { rewardTask, type RewardTask } from '../../shared/rewards/given.ts';
import type { ScorerRule } from '../../benchmarks/scorerRule.ts';

/** The exports of such a file. Its tasks name the built-in rule that judges them. */
export interface ShippedFunctions {
  seeds(split: 'base' | 'heldOut'): unknown;
  environmentPrompt(context: Omit<GenerationContext, 'seed'> & { seed: RewardTask }): unknown;
  parse(text: string): unknown;
  verify(task: Pick<TaskDraft, 'prompt' | 'gold' | 'evaluation'>): unknown;
  agentPrompt(task: RewardTask): unknown;
}

export class ShippedRecipe implements Recipe {
  readonly name: string;
  readonly kind = null;
  readonly needsAgreement = false;
  /** A gold is the result of the calculation in its text. */
  readonly goldFollows = true;
  readonly comparesBase = false;
  readonly #functions: ShippedFunctions;
  readonly #rules: ScorerRule;

  constructor(name: string, functions: ShippedFunctions, rules: ScorerRule) {
    this.name = name;
    this.#functions = functions;
    this.#rules = rules;
  }

  misfit(): null {
    return null;
  }

  environmentPrompt(context: GenerationContext): readonly Message[] {
    return given(readPrompt(this.#functions.environmentPrompt({ ...context, seed: rewardTask(context.seed) })));
  }

  parse(text: string): TaskDraft {
    const read = given(readDraft(this.#functions.parse(text)));
    if ('draft' in read) return read.draft;
    throw new TaskFault('unparseable', read.reject);
  }

  verify(task: TaskDraft): void {
    const fault = this.#rules.fault(task);
    if (fault !== null) throw new TaskFault('gold', fault);
    const verified = given(readVerified(this.#functions.verify(task)));
    if (verified !== true) throw new TaskFault('gold', verified);
  }

  wording(task: Pick<Task, 'prompt'>): string {
    return questionOf(task);
  }

  /** Another story may well have the same answer. */
  key(): null {
    return null;
  }

  /** Blanks, case and punctuation make no other task, nor does another way to calculate the same. */
  fingerprint(task: Pick<Task, 'prompt'>): string {
    return plainWords(questionOf(task));
  }

  agentPrompt(task: Task): readonly Message[] {
    return given(readPrompt(this.#functions.agentPrompt(rewardTask(task))));
  }
}

/** The tasks that such a file ships with. */
export const ownSeeds = ({ seeds }: Pick<ShippedFunctions, 'seeds'>, split: 'base' | 'heldOut'): Task[] =>
  given(readSeeds(seeds(split))).map(({ id, draft }, i) => ({
    v: 1,
    id: id ?? `${split}-${i + 1}`,
    family: id ?? `${split}-${i + 1}`,
    epoch: 0,
    origin: split === 'base' ? 'base' : 'validation',
    seed: null,
    status: 'accepted',
    ...draft,
  }));

function given<T>(read: Read<T>): T {
  if ('fault' in read) throw new Error(`Unreachable: a domain that ships keeps its contract, and ${read.fault}.`);
  return read.value;
}

/** A domain that ships as a domain file of the contract (docs/domains.md): ours, so its functions are called right here. */
import { Overlaps, likenesses } from '../../benchmarks/recipes/overlaps.ts';
import { plainWords } from '../../benchmarks/recipes/recipe.ts';
import type { ScorerRule } from '../../benchmarks/scorerTable.ts';
import type { GenerationContext, LocalDomain, LocalEnvironment, ParsedTask, Verification } from '../../engine/ports.ts';
import { readDraft, readPrompt, readSeeds, readVerified, type Read } from '../../shared/domains/given.ts';
import type { Message } from '../../shared/records/message.ts';
import type { Task, TaskDraft } from '../../shared/records/task.ts';
import { rewardTask, type RewardTask } from '../../shared/rewards/given.ts';
import type { DomainTasks } from '../fileDomain.ts';

/** What such a file exports. Its tasks name the built-in rule that judges them. */
export interface ShippedFunctions {
  seeds(split: 'base' | 'heldOut'): unknown;
  environmentPrompt(context: Omit<GenerationContext, 'seed'> & { seed: RewardTask }): unknown;
  parse(text: string): unknown;
  verify(task: Pick<TaskDraft, 'prompt' | 'gold' | 'evaluation'>): unknown;
  agentPrompt(task: RewardTask): unknown;
}

export class ShippedDomain implements LocalDomain {
  readonly name: string;
  readonly #functions: ShippedFunctions;
  readonly #tasks: DomainTasks;
  readonly #rules: ScorerRule;
  #heldOut: Overlaps | null = null;

  constructor(name: string, functions: ShippedFunctions, tasks: DomainTasks, rules: ScorerRule) {
    this.name = name;
    this.#functions = functions;
    this.#tasks = tasks;
    this.#rules = rules;
  }

  /** A gold is what the calculation comes to that its text gives. */
  goldFollows(): boolean {
    return true;
  }

  seeds(split: 'base' | 'validation'): readonly Task[] {
    return split === 'base' ? this.#tasks.base : this.#tasks.heldOut;
  }

  environmentPrompt(context: GenerationContext): readonly Message[] {
    return given(readPrompt(this.#functions.environmentPrompt({ ...context, seed: rewardTask(context.seed) })));
  }

  parseTask(text: string): ParsedTask {
    const read = given(readDraft(this.#functions.parse(text)));
    return 'draft' in read ? { ok: true, draft: read.draft } : { ok: false, cause: 'unparseable', note: read.reject };
  }

  verify(task: TaskDraft): Verification {
    const fault = this.#rules.fault(task);
    if (fault !== null) return { ok: false, cause: 'gold', note: fault };
    const verified = given(readVerified(this.#functions.verify(task)));
    return verified === true ? { ok: true } : { ok: false, cause: 'gold', note: verified };
  }

  /** Blanks, case and punctuation make no other task, nor does another way to calculate the same. */
  fingerprint({ prompt }: Pick<Task, 'prompt'>): string {
    return plainWords(wording({ prompt }));
  }

  wording(task: Pick<Task, 'prompt'>): string {
    return wording(task);
  }

  likeness(draft: TaskDraft): Verification {
    this.#heldOut ??= new Overlaps(this.#tasks.heldOut, { wording, key: () => null }, likenesses.heldOut);
    const same = this.#heldOut.find(draft);
    if (same === null) return { ok: true };
    return { ok: false, cause: 'held-out', note: `Nearly the held-out task ${same.id}: ${same.by}.` };
  }

  agentPrompt(task: Task): readonly Message[] {
    return given(readPrompt(this.#functions.agentPrompt(rewardTask(task))));
  }

  environment(): LocalEnvironment | null {
    return null;
  }
}

const wording = ({ prompt }: Pick<Task, 'prompt'>): string =>
  prompt.findLast(({ role }) => role === 'user')?.content ?? '';

/** The tasks that such a file has of its own. */
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

/** The engine's port to a kind of task, and the types of its calls. */
import type { Message } from '../../shared/records/message.ts';
import type { Rejection, Task, TaskDraft, ToolSpec } from '../../shared/records/task.ts';
import type { Step } from '../../shared/records/trace.ts';
import type { Leader } from '../leader.ts';

/** A custom domain answers from its own process; built-in ones answer at once. */
type Awaitable<T> = T | Promise<T>;

/** A multi-turn episode's answer. */
export interface Observation {
  messages: readonly Message[];
  done: boolean;
  /** The agent reads these after the prompt's system messages, and no earlier message. */
  alone?: boolean;
  /** The tools from here on, where a server defines them for each episode. */
  tools?: readonly ToolSpec[];
  /** A server's figures beside the messages: one of a reset, one of each action. */
  steps?: readonly Step[];
}

/** One multi-turn episode: tools that answer, games. */
export interface Environment {
  /**
   * First observation; empty when the task's prompt says it all.
   * @param signal ends a wait for a place
   */
  reset(task: Task, signal?: AbortSignal): Awaitable<Observation>;
  /** @param reasoning the model's reasoning before the action, where the endpoint separates it */
  step(action: string, reasoning?: string): Awaitable<Observation>;
  /**
   * Releases the server session of an episode. Each attempt at such a task begins with its own reset, is played alone,
   * and is closed.
   */
  close?(): Promise<void>;
}

/** The environment policy's context: the seed task to vary and the agent's recent results. */
export interface GenerationContext {
  seed: Task;
  /** Recent measured success rate of the agent, 0…1; null before anything was measured. */
  recentSuccess: number | null;
  /** The target difficulty (α). */
  target: number;
  /** Families that were written from this seed before, the oldest first, the newest ten; absent without any. */
  lineage?: readonly Ancestor[];
  /**
   * Texts that became no task: of this family's earlier tries, else of the epoch before, whose notes are not kept.
   * Absent without any.
   */
  rejected?: readonly RejectedTexts[];
}

/** An earlier family of a seed. */
interface Ancestor {
  epoch: number;
  /** The agent's success rate on it, 0…1; null where nothing could be judged. */
  successRate: number | null;
}

/** Texts that became no task for one reason. */
export interface RejectedTexts {
  cause: Rejection;
  /** The reason in words; '' where it is not kept. */
  note: string;
  count: number;
}

export type Verification = { ok: true } | { ok: false; cause: Rejection; note: string };

export type ParsedTask = { ok: true; draft: TaskDraft } | { ok: false; cause: Rejection; note: string };

/** A kind of task: how the environment is asked, how its text becomes tasks, how a task is checked and posed. */
export interface Domain {
  readonly name: string;
  /** Human-authored tasks: `base` seeds the environment and the agent pool, `validation` is held out. */
  seeds(split: 'base' | 'validation'): readonly Task[];
  /**
   * Optional first turn: the environment writes one short plan per family, which all its variations share, so that the
   * family's reward reaches the decision that sets its difficulty. Null for a seed that is varied without a plan.
   */
  planPrompt?(context: GenerationContext): Awaitable<readonly Message[] | null>;
  /** The environment policy's prompt for one variation. `plan` is the assistant turn it wrote first. */
  environmentPrompt(context: GenerationContext, plan: Message | null): Awaitable<readonly Message[]>;
  /**
   * Parses the environment's text into a task. `plan` is the plan's text, '' without one; `seed` is the task to vary.
   */
  parseTask(text: string, plan: string, seed: Task): Awaitable<ParsedTask>;
  /** Schema, gold and plan checks; executable where the domain can. */
  verify(task: TaskDraft): Awaitable<Verification>;
  /** Whether `verify` may refuse such a task at all: a person's file may have no such function. Taken for granted if absent. */
  verifies?(task: Pick<Task, 'domain'>): boolean;
  /** Equal keys mean the same task: duplicates and held-out overlap are found by it. */
  fingerprint(task: Pick<Task, 'prompt' | 'evaluation' | 'domain'>): string;
  /** The words that distinguish tasks; '' where words do not, undefined where the whole prompt does. */
  wording?(task: Pick<Task, 'prompt' | 'domain'>): string | undefined;
  /** Whether a new task nearly equals a held-out or existing one, beyond equal fingerprints. */
  likeness?(task: TaskDraft): Verification;
  /** Whether nothing can execute a task's gold: independent answers have to agree with it before the task counts. */
  needsAgreement?(task: Pick<Task, 'domain'>): boolean;
  /** Whether a gold that verifies follows from its task, by execution: attempts that answer otherwise say nothing against it. */
  goldFollows?(task: Pick<Task, 'domain'>): boolean;
  /** The agent's prompt: `task.prompt` itself where the domain has no words of its own, so that records need not repeat it. */
  agentPrompt(task: Task): Awaitable<readonly Message[]>;
  /** An episode for tasks that need more than one turn; null for single-turn tasks. */
  environment(task: Task): Environment | null;
  /**
   * Leads the attempts at a task in the place of `agentPrompt` and `environment`: programs that ask the agent themselves.
   * Null for a task that is asked as usual; absent where all are.
   */
  leaderOf?(task: Pick<Task, 'domain'>): Leader | null;
  /** A domain text as an environment-policy training sequence, for base data mixed into its update; null if it has none. */
  environmentExample?(task: Task, context: GenerationContext): readonly Message[] | null;
}

/** A domain for display and editing: it answers at once and runs no third-party code. */
export interface LocalDomain extends Domain {
  planPrompt?(context: GenerationContext): readonly Message[] | null;
  environmentPrompt(context: GenerationContext, plan: Message | null): readonly Message[];
  parseTask(text: string, plan: string, seed: Task): ParsedTask;
  verify(task: TaskDraft): Verification;
  agentPrompt(task: Task): readonly Message[];
  environment(task: Task): LocalEnvironment | null;
}

/** An episode that is played here. */
export interface LocalEnvironment extends Environment {
  reset(task: Task): Observation;
  step(action: string, reasoning?: string): Observation;
}

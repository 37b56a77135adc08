/**
 * The engine's ports: the only way out of it. Everything the method needs from the world is one of these interfaces;
 * hosts pass implementations in, tests pass scripted ones.
 */
import type { Message } from '../shared/records/message.ts';
import type { EvaluationSpec, Gold, Rejection, Task, TaskDraft, ToolSpec } from '../shared/records/task.ts';
import type { TaskEdit } from '../shared/records/taskEdit.ts';
import type { Step, Trace, Verdict } from '../shared/records/trace.ts';
import type { RewardAsk } from '../shared/rewards/given.ts';
import type { FieldChange } from '../shared/experiment/changeable.ts';
import type { Experiment } from '../shared/experiment/schema.ts';
import type { JournalEvent } from '../shared/journal/events.ts';
import type { Stretch } from './epochTime.ts';
import type { Leader } from './leader.ts';
import type { Completion } from './completion.ts';

/** Losses an endpoint can differentiate. Each is a plain SUM over all tokens of all datums (Tinker's convention). */
export type LossName = 'cross_entropy' | 'importance_sampling' | 'ppo' | 'cispo';

export type Loss =
  | { name: 'cross_entropy' }
  | { name: 'importance_sampling' }
  /** Clip bounds are absolute bounds of the probability ratio (0.8 and 1.2), not distances from 1. */
  | { name: 'ppo' | 'cispo'; clipLow: number; clipHigh: number };

export interface Capabilities {
  /** `step`: forward/backward and optimiser steps; `batch`: whole jobs; `frozen`: sampling only. */
  mode: 'step' | 'batch' | 'frozen';
  losses: readonly LossName[];
  /** Whether `score` gives logprobs of given tokens. */
  score: boolean;
  /** Whether gradients are a plain sum over tokens or averaged by the server. */
  reduction: 'sum' | 'mean';
  /** Prompt plus completion, in tokens. */
  maxContext: number;
  /** How many sample requests the endpoint likes to have in flight at once. */
  concurrency: number;
  /** Same request, same seed, same version ⇒ same completion. */
  deterministic: boolean;
}

/** One frozen set of weights of one policy. */
export interface PolicyVersion {
  /** `agent@3`: policy name, `@`, how many updates it has seen. */
  name: string;
  /** How the endpoint finds these weights again. */
  handle: string;
}

/** Where a training state (weights and optimiser moments) lies. Small and plain, so that a journal can hold it. */
export interface CheckpointRef {
  name: string;
  /** How the endpoint finds it again: a file of the run's `checkpoints` folder, a `tinker://` path. */
  handle: string;
}

export interface SampleRequest {
  /** Unique within the run; a completion carries it back. */
  id: string;
  /**
   * The conversation so far. The endpoint renders it to tokens with its own tokenizer and template; an assistant
   * message that carries `tokens` is appended by those ids and never re-tokenised.
   */
  messages: readonly Message[];
  tools?: readonly ToolSpec[];
  /** Completions wanted. Completion i uses a stream derived from (seed, i) alone. */
  n: number;
  /** Only these of the n completions: what a resumed run still misses. All when absent. */
  only?: readonly number[];
  seed: number;
  /** Most tokens of a completion. */
  maxTokens: number;
  /** Most tokens of prompt and completion together, where the endpoint counts them; a completion may have one at least. */
  maxSequence?: number;
  /**
   * What is sampled with; 0 is greedy. Logprobs are the model's own (temperature 1) whatever is sampled with, as are
   * those of `score` and `accumulate`: ratios, KLs and caps compare equals.
   */
  temperature: number;
  /** Texts that end a completion: its tokens end with the first of them, which is no part of its text. */
  stop?: readonly string[];
  /** False: nobody reads the logprobs, so an endpoint that has to ask for them apart leaves them out. */
  logprobs?: boolean;
}

/** A completion that the endpoint could not give, whatever it tried, while it goes on giving others. */
export interface FailedCompletion {
  requestId: string;
  index: number;
  /** What failed and why, for people. */
  failure: string;
}

/** One training sequence of L tokens. Per-token arrays have length L and are aligned with `tokens`; entry 0 is unused. */
export interface Datum {
  tokens: readonly number[];
  /** `cross_entropy`: any real weight per token. */
  weights?: readonly number[];
  /** `importance_sampling`, `ppo`, `cispo`: logprob (temperature 1) of each token when it was sampled, 0 elsewhere. */
  logprobs?: readonly number[];
  /** Same losses: advantage per token, already normalised by the caller; 0 elsewhere. */
  advantages?: readonly number[];
}

export interface TrainMetrics {
  /** Value of the summed loss. */
  loss: number;
  /** What a server itself says the loss is, where `loss` is computed here; null where it says none. */
  told?: number | null;
  /** Per datum, length L aligned with its tokens (entry 0 is 0): logprobs under the weights being trained. */
  logprobs: readonly (readonly number[])[];
}

export interface AdamParams {
  learningRate: number;
  beta1: number;
  beta2: number;
  epsilon: number;
  weightDecay: number;
  /** Global L2 norm; 0 is off. */
  gradClipNorm: number;
}

export interface StepMetrics {
  /** L2 norm of the accumulated gradient before clipping; null where the endpoint does not tell. */
  gradNorm: number | null;
}

interface Job {
  /**
   * Unique within the run, and the same when a resumed run comes here again: a job of a name is submitted once, ever,
   * and whoever asks again is attached to it.
   */
  name: string;
  epoch: number;
  /** Where the update starts: weights and, where the trainer keeps them, optimiser moments. */
  from: { version: PolicyVersion; checkpoint: CheckpointRef };
  /** Name of the version that the job makes, `agent@3`. */
  to: string;
  seed: number;
}

/** One task as a batch trainer attempts and judges it by itself. */
export interface JobTask {
  id: string;
  messages: readonly Message[];
  tools?: readonly ToolSpec[];
  evaluation: EvaluationSpec;
  gold: Gold | null;
  /** What a reward of a person's own is asked with; absent where the scorer judges. */
  asked?: RewardAsk;
}

/** GRPO over a batch: the trainer attempts every task `group` times, judges the attempts and updates on them. */
export interface AgentJob extends Job {
  kind: 'agent';
  tasks: readonly JobTask[];
  rollouts: { group: number; temperature: number; maxTokens: number; maxSequence?: number };
  settings: Experiment['agent'];
}

/** Reward-weighted regression by resampling: supervised training on rows that were drawn in proportion to their weights. */
export interface EnvironmentJob extends Job {
  kind: 'environment';
  /** Conversations whose assistant turns are learned; drawn rows may repeat. */
  examples: readonly (readonly Message[])[];
  settings: Experiment['environment'];
}

export type TrainingJob = AgentJob | EnvironmentJob;

/** One attempt that a job made, as its dump tells it. */
export interface JobAttempt {
  task: string;
  /** 0 … group−1. */
  index: number;
  text: string;
  /** What the trainer's own copy of the scorer gave. */
  reward: number;
  tokens: number | null;
  stopReason: 'stop' | 'length';
}

/** What a finished job leaves. Asking for the same job again gives the same. */
export interface JobOutcome {
  /** The trainer's own name of the job: what a person finds it by. */
  id: string;
  version: PolicyVersion;
  checkpoint: CheckpointRef;
  /** None for an environment job. */
  attempts: readonly JobAttempt[];
  steps: number;
  /** What the trainer says of its last step; null for what it does not say. Its loss has its own normalisation. */
  told: {
    loss: number | null;
    /** Nats per token. */
    entropy: number | null;
    /** L2 norm before clipping. */
    gradNorm: number | null;
    /** KL to the initial policy, nats per token. */
    referenceKl: number | null;
  };
  /** Last value of every metric that the trainer logged, by its own name. */
  metrics: Readonly<Record<string, number>>;
}

/** How far a job is. */
export interface JobProgress {
  state: 'queued' | 'running';
  step: number;
  /** Null while the trainer has not said. */
  steps: number | null;
}

/** One model behind one endpoint, seen by the loop. Token ids and logprobs where the endpoint has them. */
export interface Policy {
  readonly capabilities: Capabilities;
  /** Freezes the current weights for sampling. Publishing the same name again replaces it. */
  publish(name: string): Promise<PolicyVersion>;
  /**
   * Streams completions as they finish; an endpoint that is deterministic streams them in request order. What fails
   * for good is yielded too, once for each completion; a failure that all requests share is thrown, after what was
   * under way has finished.
   */
  sample(
    version: PolicyVersion,
    requests: readonly SampleRequest[],
    signal: AbortSignal,
  ): AsyncIterable<Completion | FailedCompletion>;
  /** Logprobs of given sequences under frozen weights: per sequence of L tokens, L values, entry 0 is 0. */
  score?(version: PolicyVersion, sequences: readonly (readonly number[])[], signal: AbortSignal): Promise<number[][]>;
  /** Adds the gradient of the SUM of a loss over all tokens; the caller normalises. */
  accumulate?(data: readonly Datum[], loss: Loss): Promise<TrainMetrics>;
  /**
   * A conversation as training tokens, rendered as `sample` renders prompts. `spans`: [start, end) of the assistant
   * turns' own tokens, each with its end token. For supervised data that nobody sampled.
   */
  render?(messages: readonly Message[]): Promise<{ tokens: number[]; spans: [number, number][] }>;
  /** One AdamW step on what was accumulated, which it clears. */
  step?(adam: AdamParams): Promise<StepMetrics>;
  /**
   * Mode `batch`: a whole job on a trainer that has no step-wise control. Idempotent by the job's name, also across
   * restarts of this process. An abort detaches and leaves the job running, unless its reason is an `EndAsked` that
   * says `stopped`: then the job is stopped too. @throws EndpointError
   */
  runJob?(job: TrainingJob, signal: AbortSignal, onProgress?: (progress: JobProgress) => void): Promise<JobOutcome>;
  /** Saves weights and optimiser state durably before it resolves. */
  checkpoint(name: string): Promise<CheckpointRef>;
  /** A new Policy at a checkpoint, never in place. */
  restore(ref: CheckpointRef): Promise<Policy>;
  dispose(): Promise<void>;
}

/** A policy that can be trained step by step: what `coevolve` needs of one it updates. */
export type TrainablePolicy = Policy & Required<Pick<Policy, 'accumulate' | 'step' | 'score' | 'render'>>;

/** A policy that is trained by whole jobs. */
export type BatchPolicy = Policy & Required<Pick<Policy, 'runJob'>>;

/** A domain of a person's own answers from a process of its own; those that come with the program answer at once. */
type Awaitable<T> = T | Promise<T>;

/** What a multi-turn episode answers with. */
export interface Observation {
  messages: readonly Message[];
  done: boolean;
  /** The agent reads these after the prompt's system messages, and nothing else of what was asked or said before. */
  alone?: boolean;
  /** What the agent can call from here on, where a server says it with each episode. */
  tools?: readonly ToolSpec[];
  /** What a server told beside the messages: one of a reset, one of each action. */
  steps?: readonly Step[];
}

/** One multi-turn episode: tools that answer, games. */
export interface Environment {
  /**
   * First observation; empty when the task's prompt says it all.
   * @param signal ends a wait for a place
   */
  reset(task: Task, signal?: AbortSignal): Awaitable<Observation>;
  /** @param reasoning what the model thought before, where it is told apart */
  step(action: string, reasoning?: string): Awaitable<Observation>;
  /**
   * Where an episode holds a session of a server: gives it back. Each attempt at such a task begins with a reset of its
   * own, is played alone, and is closed.
   */
  close?(): Promise<void>;
}

/** What the environment policy is told before it writes: the seed task to vary and how the agent did lately. */
export interface GenerationContext {
  seed: Task;
  /** Recent measured success rate of the agent, 0…1; null before anything was measured. */
  recentSuccess: number | null;
  /** The difficulty asked for (α). */
  target: number;
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
  /** What the environment policy reads before it writes one variation. `plan` is the assistant turn it wrote first. */
  environmentPrompt(context: GenerationContext, plan: Message | null): Awaitable<readonly Message[]>;
  /** The environment's text as a task. `plan` is the plan's text, '' without one; `seed` is what it was to vary. */
  parseTask(text: string, plan: string, seed: Task): Awaitable<ParsedTask>;
  /** Schema, gold and plan checks; executable where the domain can. */
  verify(task: TaskDraft): Awaitable<Verification>;
  /** Equal keys mean the same task: duplicates and held-out overlap are found by it. */
  fingerprint(task: Pick<Task, 'prompt' | 'evaluation' | 'domain'>): string;
  /** What tells tasks apart by its words; '' where no words do, undefined where that is the whole prompt. */
  wording?(task: Pick<Task, 'prompt' | 'domain'>): string | undefined;
  /** Whether a new task is nearly one that is held out, or one that there is: what equal fingerprints do not find. */
  likeness?(task: TaskDraft): Verification;
  /** Whether nothing can execute a task's gold: independent answers have to agree with it before the task counts. */
  needsAgreement?(task: Pick<Task, 'domain'>): boolean;
  /** Whether a gold that verifies follows from its task, by execution: attempts that answer otherwise say nothing against it. */
  goldFollows?(task: Pick<Task, 'domain'>): boolean;
  /** What the agent reads. */
  agentPrompt(task: Task): Awaitable<readonly Message[]>;
  /** An episode for tasks that need more than one turn; null for single-turn tasks. */
  environment(task: Task): Environment | null;
  /** Leads every attempt in the place of `agentPrompt` and `environment`: programs that ask the agent themselves. */
  readonly leader?: Leader;
  /** A domain text as an environment-policy training sequence, for base data mixed into its update; null if it has none. */
  environmentExample?(task: Task, context: GenerationContext): readonly Message[] | null;
}

/** A domain as it is shown and edited: it answers at once and runs no code of anybody's. */
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

/** Judges one finished attempt. Success is binary and separate from the shaped reward. */
export interface Scorer {
  score(
    task: { evaluation: EvaluationSpec; gold: Gold | null },
    trace: Pick<Trace, 'messages' | 'stopReason'>,
  ): Verdict;
  /** The gold as an attempt would say it; null where that cannot be told. Without it the gold's own text is an answer. */
  goldAnswer?(task: { evaluation: EvaluationSpec; gold: Gold | null }): string | null;
}

/** Judges by a program of a person's own, which takes its time. Where it fails the verdict says so; it never rejects. */
export interface Judge {
  judge(task: Task, trace: Omit<Trace, 'verdict'>): Promise<Verdict>;
}

/** A benchmark on which the agent is measured while the run goes; nothing of it is ever trained on. */
export interface Benchmark {
  name: string;
  /** Its scorer's name. */
  rule: string;
  /** SHA-256 of the tasks, hexadecimal. */
  digest: string;
  tasks: readonly Task[];
  /** Of how many tasks these are, and whether the benchmark's data is as its authors say; absent where nobody told. */
  data?: { of: number; whole: boolean };
  /** Poses them. */
  domain: Domain;
  scorer: Scorer;
}

/** A task of a test set that the run does not measure on, and that must not be written all the same. */
export interface TestSetTask {
  /** Name of its set. */
  of: string;
  id: string;
  /** What is asked, without instructions. */
  text: string;
}

export interface Journal {
  /** Durable when it resolves. */
  append(event: JournalEvent): Promise<void>;
}

/**
 * The large records; the journal refers to them by id. What was appended survives the death of the process once it
 * resolves, and a power cut once a later journal event has resolved.
 */
export interface Records {
  appendTasks(tasks: readonly Task[]): Promise<void>;
  appendTraces(traces: readonly Trace[]): Promise<void>;
  /** Everything recorded of one epoch, in the order it was written. */
  tasksOf(epoch: number): Promise<Task[]>;
  tracesOf(epoch: number): Promise<Trace[]>;
}

export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
}

export interface Log {
  info(message: string): void;
  warn(message: string): void;
}

/** Live numbers for a person watching; never journaled. */
export interface Progress {
  phase: string;
  epoch: number;
  done: number;
  total: number;
  tokens: number;
  successes?: number;
  /** A trainer does it as a job: `done` of `total` are its steps, `total` is 0 while it has not said. */
  job?: JobProgress['state'];
}

/** What a person asked to change while the run goes; it waits until the loop takes it. */
export interface ChangeRequest {
  id: string;
  author: string;
  changes: readonly FieldChange[];
}

/** Where changes wait. The loop journals what takes hold and then says so; a request may be taken in parts. */
export interface Changes {
  /** Oldest first. */
  waiting(): Promise<readonly ChangeRequest[]>;
  /** These fields of a request are journaled, or can never take hold. */
  taken(id: string, fields: readonly string[]): Promise<void>;
}

/** Tasks that people edited while the run goes; an edit waits until the loop journals it. */
export interface Edits {
  /** Oldest first. */
  waiting(): Promise<readonly { id: string; author: string; edits: readonly TaskEdit[] }[]>;
  /** A request is journaled. */
  taken(id: string): Promise<void>;
}

export interface Ports {
  agent: Policy;
  environment: Policy;
  domain: Domain;
  scorer: Scorer;
  /** Judges in the scorer's place. */
  judge?: Judge;
  /** What `evaluation` of the experiment names. */
  benchmark?: Benchmark;
  testSets?: readonly TestSetTask[];
  journal: Journal;
  records: Records;
  clock: Clock;
  /** When nobody carried the run on: paused, stopped, or its process gone. */
  stoodStill?: readonly Stretch[];
  log: Log;
  changes?: Changes;
  edits?: Edits;
  /** Mode `offline`: the tasks made elsewhere. */
  offlineTasks?: readonly Task[];
  onProgress?(progress: Progress): void;
  /** Pause now: what is being sampled is given up, what finished is kept. */
  signal: AbortSignal;
  /** Pause at the next phase boundary. */
  boundary?: AbortSignal;
}

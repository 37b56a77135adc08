/**
 * The engine's ports: the only way out of it. Everything the method needs from the world is one of these interfaces;
 * hosts pass implementations in, tests pass scripted ones.
 */
import type { Message } from '../shared/records/message.ts';
import type { EvaluationSpec, Gold, Task, ToolSpec } from '../shared/records/task.ts';
import type { CompletionRecord } from '../shared/records/completionRecord.ts';
import type { TaskEdit } from '../shared/records/taskEdit.ts';
import type { Trace, Verdict } from '../shared/records/trace.ts';
import type { CurriculumEpoch, CurriculumFamily } from '../shared/curricula/given.ts';
import type { RewardAsk } from '../shared/rewards/given.ts';
import type { FieldChange } from '../shared/experiment/changeable.ts';
import type { Experiment } from '../shared/experiment/schema.ts';
import type { JournalEvent, Slots } from '../shared/journal/events.ts';
import type { Stretch } from './epochTime.ts';
import type { Domain } from './ports/domain.ts';
import type { Embedder } from './ports/embedder.ts';
import type { UnderWay } from './ports/underWay.ts';
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
  /**
   * Tokens at which a completion is cut, prompt included: one less than `maxContext` where a server samples a token whenever it
   * scores, which a full context has no place for. Absent where the endpoint does not count a prompt's tokens.
   */
  longest?: number;
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

/** The location of a training state (weights and optimiser moments). Small and plain, so that a journal can hold it. */
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
  /** Only these of the n completions: those that a resumed run misses. All when absent. */
  only?: readonly number[];
  seed: number;
  /** Most tokens of a completion. */
  maxTokens: number;
  /** Most tokens of prompt and completion together, where the endpoint counts them; a completion may have one at least. */
  maxSequence?: number;
  /**
   * The sampling temperature; 0 is greedy. Logprobs are always the model's own (temperature 1), as are those of `score`
   * and `accumulate`: ratios, KLs and caps compare equals.
   */
  temperature: number;
  /** Where requests wait for room, the more urgent go first (`order/urgency.ts`). */
  urgency?: number;
  /** Texts that end a completion: its tokens end with the first of them, which its text leaves out. */
  stop?: readonly string[];
  /** False: the logprobs are unused, so an endpoint that would need another request for them omits them. */
  logprobs?: boolean;
}

/** A completion that the endpoint could not produce after all its retries, while others continue. */
export interface FailedCompletion {
  requestId: string;
  index: number;
  /** The failure and its reason, as a sentence for users. */
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
  /** The server's own figure of the loss, where `loss` is computed here; null where it reports none. */
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
  /** L2 norm of the accumulated gradient before clipping; null where the endpoint does not report it. */
  gradNorm: number | null;
}

interface Job {
  /**
   * Unique within the run, and equal when a resumed run asks again: a job of a name is submitted once, and later
   * callers are attached to it.
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
  /** The input of a custom reward; absent where the scorer judges. */
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

/** One attempt of a job, read from its dump. */
export interface JobAttempt {
  task: string;
  /** 0 … group−1. */
  index: number;
  text: string;
  /** The model's reasoning before its answer, which is no part of the text. */
  reasoning?: string;
  /** The reward by the trainer's own copy of the scorer. */
  reward: number;
  /** Of the prompt as the model reads it; null where the trainer does not tell. */
  promptTokens: number | null;
  tokens: number | null;
  stopReason: 'stop' | 'length';
}

/** The results of a finished job. Asking for the same job again returns the same. */
export interface JobOutcome {
  /** The trainer's own name of the job, under which users find it. */
  id: string;
  version: PolicyVersion;
  checkpoint: CheckpointRef;
  /** None for an environment job. */
  attempts: readonly JobAttempt[];
  steps: number;
  /** The trainer's figures of its last step; null for those it does not report. Its loss has its own normalisation. */
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
  /** Null until the trainer reports it. */
  steps: number | null;
}

/** One model behind one endpoint, seen by the loop. Token ids and logprobs where the endpoint has them. */
export interface Policy {
  readonly capabilities: Capabilities;
  /** Freezes the current weights for sampling. Publishing the same name again replaces it. */
  publish(name: string): Promise<PolicyVersion>;
  /**
   * Streams completions as they finish; a deterministic endpoint streams them in request order. A final failure is
   * yielded too, once for each completion; a failure that all requests share is thrown, after those in progress have
   * finished.
   */
  sample(
    version: PolicyVersion,
    requests: readonly SampleRequest[],
    signal: AbortSignal,
  ): AsyncIterable<Completion | FailedCompletion>;
  /** Logprobs of given sequences under frozen weights: per sequence of L tokens, L values, entry 0 is 0. */
  score?(version: PolicyVersion, sequences: readonly (readonly number[])[], signal: AbortSignal): Promise<number[][]>;
  /** Entropies, in nats, of the distributions (temperature 1) that their tokens are drawn from; laid out as in `score`. */
  entropies?(
    version: PolicyVersion,
    sequences: readonly (readonly number[])[],
    signal: AbortSignal,
  ): Promise<number[][]>;
  /** The text of each token, where the endpoint knows it. */
  words?(tokens: readonly number[]): string[];
  /** Adds the gradient of the SUM of a loss over all tokens; the caller normalises. */
  accumulate?(data: readonly Datum[], loss: Loss): Promise<TrainMetrics>;
  /**
   * A conversation as training tokens, rendered as `sample` renders prompts. `spans`: [start, end) of the assistant
   * turns' own tokens, each with its end token. For supervised data, which no policy sampled.
   */
  render?(messages: readonly Message[]): Promise<{ tokens: number[]; spans: [number, number][] }>;
  /** One AdamW step on the accumulated gradient, which it clears. */
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

/** A policy that can be trained step by step, as `coevolve` requires for updates. */
export type TrainablePolicy = Policy & Required<Pick<Policy, 'accumulate' | 'step' | 'score' | 'render'>>;

/** A policy that is trained by whole jobs. */
export type BatchPolicy = Policy & Required<Pick<Policy, 'runJob'>>;

export type {
  Domain,
  Environment,
  GenerationContext,
  LocalDomain,
  LocalEnvironment,
  Observation,
  ParsedTask,
  RejectedTexts,
  Verification,
} from './ports/domain.ts';

/** Judges one finished attempt. Success is binary and separate from the shaped reward. */
export interface Scorer {
  score(
    task: { evaluation: EvaluationSpec; gold: Gold | null },
    trace: Pick<Trace, 'messages' | 'stopReason'>,
  ): Verdict;
  /** The gold in the form of an attempt's answer; null where unknown. Without it the gold's own text is an answer. */
  goldAnswer?(task: { evaluation: EvaluationSpec; gold: Gold | null }): string | null;
}

/** Judges by a program of a person's own, which takes its time. Where it fails the verdict says so; it never rejects. */
export interface Judge {
  judge(task: Task, trace: Omit<Trace, 'verdict'>): Promise<Verdict>;
}

/** The environment's rewards by a program of a person's own. */
export interface RewardProgram {
  /** R_env by task, of one epoch; of those missing it is unknown. @throws an error that ends the run where it fails */
  rewards(families: readonly CurriculumFamily[], epoch: CurriculumEpoch): Promise<ReadonlyMap<string, number>>;
}

/** A benchmark on which the agent is measured while the run goes; nothing of it is ever trained on. */
export interface Benchmark {
  name: string;
  /** Its scorer's name. */
  rule: string;
  /** SHA-256 of the tasks, hexadecimal. */
  digest: string;
  tasks: readonly Task[];
  /** The number of tasks in the whole benchmark, and whether its data equals the authors'; absent where unknown. */
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
  /** The question, without instructions. */
  text: string;
}

export interface Journal {
  /** Durable when it resolves. */
  append(event: JournalEvent): Promise<void>;
}

/**
 * The large records; the journal refers to them by id. An appended record survives the death of the process once
 * `append` resolves, and a power cut once a later journal event has resolved.
 */
export interface Records {
  appendTasks(tasks: readonly Task[]): Promise<void>;
  appendTraces(traces: readonly Trace[]): Promise<void>;
  appendCompletions(completions: readonly CompletionRecord[]): Promise<void>;
  /** Everything recorded of one epoch, in the order it was written. */
  tasksOf(epoch: number): Promise<Task[]>;
  tracesOf(epoch: number): Promise<Trace[]>;
  completionsOf(epoch: number): Promise<CompletionRecord[]>;
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
  /** A trainer runs it as a job: `done` of `total` are its steps; `total` is 0 until it reports one. */
  job?: JobProgress['state'];
}

/** A requested change of the running run; it waits until the loop takes it. */
export interface ChangeRequest {
  id: string;
  author: string;
  changes: readonly FieldChange[];
}

/** Requested changes. The loop journals those that take effect, then confirms them; a request may be taken in parts. */
export interface Changes {
  /** Oldest first. */
  waiting(): Promise<readonly ChangeRequest[]>;
  /** These fields of a request are journaled, or can never take effect. */
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
  /** Of reward `file`. */
  rewardProgram?: RewardProgram;
  /** The benchmark that `evaluation` of the experiment names. */
  benchmark?: Benchmark;
  testSets?: readonly TestSetTask[];
  embedder?: Embedder;
  journal: Journal;
  records: Records;
  clock: Clock;
  /** The last epoch that a branch shares with its parent; absent for a run that is no branch. */
  shared?: number;
  /** Stretches in which no process worked on the run: paused, stopped, or dead. */
  stoodStill?: readonly Stretch[];
  log: Log;
  /** Slots of endpoints that schedule requests, since they were opened; always the same endpoints in the same order. */
  slots?(): Slots[];
  changes?: Changes;
  edits?: Edits;
  /** Mode `offline`: the tasks made elsewhere. */
  offlineTasks?: readonly Task[];
  onProgress?(progress: Progress): void;
  /** Where attempts can be watched before they are recorded. */
  underWay?: UnderWay;
  /** Pause now: samples in progress are dropped, finished ones are kept. */
  signal: AbortSignal;
  /** Pause at the next phase boundary. */
  boundary?: AbortSignal;
}

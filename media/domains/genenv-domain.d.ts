/**
 * Types of a domain file: `export const parse: Parse = (text, { seed }) => …`. Only `environmentPrompt` and `parse` are
 * needed, and `seeds` where the experiment names no task file. Any of them may be asynchronous. The same input must give
 * the same output: a resumed run asks again, and any process may answer.
 */

export interface Message {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: string;
  /** Of a tool's answer: which tool. */
  name?: string | undefined;
}

export interface Tool {
  name: string;
  description: string;
  /** JSON Schema. */
  parameters: Record<string, unknown>;
}

export interface ToolCall {
  name: string;
  arguments: Record<string, unknown>;
}

/** A text is one turn of the user. */
export type Prompt = string | Message[];

/** A task as `seeds` and `parse` give it. */
export interface Draft {
  /** The agent's prompt, where there is no `agentPrompt`. */
  prompt: Prompt;
  /** The right answer, where one is known. */
  gold?: string | number | null | undefined;
  /** Tools that the agent may call. */
  tools?: Tool[] | undefined;
  /** A built-in rule that judges in place of `judge`: `{ kind: 'number' }` (docs/scorers.md); or data of your own: `{ kind: 'domain', tests }`. */
  evaluation?: { kind: string; [more: string]: unknown } | undefined;
  /** The reset parameters of an OpenEnv server. */
  reset?: Record<string, unknown> | undefined;
  /** How hard it is, in numbers by name, for charts: `{ steps: 3 }`. */
  difficulty?: Record<string, number> | undefined;
}

/** A task from which variations are written. Its id is made from the file's name and its place where it has none. */
export type Seed = Draft & { id?: string | undefined };

/** A task in the form that functions receive. */
export interface Task {
  id: string;
  /** Tasks written from one seed in one epoch. */
  family: string;
  epoch: number;
  prompt: Message[];
  tools?: Tool[] | undefined;
  evaluation: { kind: string; [more: string]: unknown };
  /** A number that was given as gold is a text here. */
  gold: string | null;
  /** Id of the task that it varies. */
  seed: string | null;
  /** The answer to `planPrompt`, '' without one. */
  plan: string;
}

/** A finished attempt. */
export interface Trace {
  id: string;
  /** The messages after the prompt: assistant turns and observations. */
  messages: Message[];
  /** The last assistant turn's text, '' without one. */
  answer: string;
  /** Calls in the answer as `<tool_call>` JSON; null where it holds none, or one that cannot be read. */
  toolCalls: ToolCall[] | null;
  /** `length`: cut at its most tokens; `turns`: at its most turns. */
  stopReason: 'stop' | 'length' | 'turns';
  /** Of a program's attempt: its other conversations; each leaves `messages` (0) or an earlier branch after so many messages. */
  branches?: { of: number; after: number; messages: Message[] }[] | undefined;
  /** The answers of an OpenEnv server, its reset first; absent where none plays. */
  steps?:
    | { observation: Record<string, unknown>; reward: number | null; done: boolean; error?: string | undefined }[]
    | undefined;
  /** Policy version that answered. */
  version: string;
}

/** The input for a prompt to the environment policy. */
export interface Context {
  /** The task that it varies. */
  seed: Task;
  /** Recent success rate of the agent, 0 to 1; null before anything was measured. */
  recentSuccess: number | null;
  /** α, the success rate that is wanted. */
  target: number;
  /** Earlier families of this seed, the newest ten; empty with `generation.condition` off. */
  lineage: { epoch: number; successRate: number | null }[];
  /** Texts that became no task: of the family's earlier tries with the reason, else of the epoch before by cause alone. */
  rejected: { cause: string; note: string; count: number }[];
  /** Facts of the seed read by the `recipe` that the file names, as text by name; absent without one. */
  about?: Record<string, string> | undefined;
}

/** A number from 0 to 1 alone is a success only when it is exactly 1. */
export type Result =
  | boolean
  | number
  | {
      /** Counts in success rates. */
      success: boolean;
      /** The training reward: 0 to 1. */
      reward: number;
      parts?: Record<string, number> | undefined;
      note?: string | undefined;
    };

/** An episode's answer; a text alone leaves the state unchanged. */
export type Observation<State = unknown> =
  | string
  | {
      say?: Prompt | undefined;
      /** Any JSON: given back with the next action. */
      state?: State | undefined;
      /** Whether the episode is over. */
      done?: boolean | undefined;
    };

type MaybeLater<T> = T | Promise<T>;

/** `base`: tasks that are varied; `heldOut`: tasks that only validation measures. */
export type Seeds = (split: 'base' | 'heldOut') => MaybeLater<Seed[]>;

/** The environment policy's prompt for one variation. */
export type EnvironmentPrompt = (context: Context & { plan: string }) => MaybeLater<Prompt>;

/**
 * Parses the environment policy's text into a task, or says why it is none. An exception rejects the text, too. `base`:
 * the result of the `recipe` that the file names; absent without one.
 */
export type Parse = (
  text: string,
  given: { seed: Task; plan: string; base?: Draft | { reject: string } | undefined },
) => MaybeLater<Draft | { reject: string }>;

/** `true`, or why a task does not count. */
export type Verify = (task: Omit<Task, 'id' | 'family' | 'epoch' | 'seed'>) => MaybeLater<boolean | string>;

/** The agent's prompt. */
export type AgentPrompt = (task: Task) => MaybeLater<Prompt>;

/** Whether a finished attempt solves its task. An exception is the verdict _error_, which trains nothing. */
export type Judge = (task: Task, trace: Trace) => MaybeLater<Result>;

/** Asks for a plan first, which all variations of a family share. */
export type PlanPrompt = (context: Context) => MaybeLater<Prompt>;

/** How an episode begins. */
export type Reset<State = unknown> = (task: Task) => MaybeLater<Observation<State>>;

/** One turn of an episode: `state` is the one returned last, `action` the agent's message. */
export type Step<State = unknown> = (task: Task, state: State, action: string) => MaybeLater<Observation<State>>;

/** How an attempt's program is started. It asks the agent at `OPENAI_BASE_URL`. */
export interface ProgramSpec {
  /** A program and its words; words that name a file beside the domain file become its path. */
  command: string[];
  /** Variables of its environment, in addition to the few defaults. */
  env?: Record<string, string> | undefined;
  /** Files and folders beside the domain file that it needs, beside those that its command names. */
  files?: string[] | undefined;
  /** Limit of its own time in seconds, 600 if absent: waiting for the agent does not count. */
  seconds?: number | undefined;
  /** Most megabytes of all its processes together, 2048 if absent. */
  megabytes?: number | undefined;
  /** The source of the verdict without a `judge`: the last line of JSON, the exit code, or either. */
  reward?: 'either' | 'line' | 'exit' | undefined;
}

export type Program = (task: Task) => MaybeLater<ProgramSpec>;

/** A domain of GenEnv that provides the functions that the file lacks: `export const recipe: Recipe = 'bfcl'`. */
export type Recipe = 'bfcl' | 'api-bank' | 'bamboogle' | 'alfworld' | 'travelplanner' | 'storekeeper' | 'stories';

/** The OpenEnv server that plays the episodes: `export const openenv: OpenEnv = …`. */
export interface OpenEnv {
  url: string;
  /** `${env:NAME}` or `${secret:NAME}`, sent as a bearer token. */
  key?: string | null | undefined;
  /** Most sessions at once, 64 if absent; fewer where the server allows fewer. */
  sessions?: number | undefined;
  /** Most seconds that an answer may take, 60 if absent. */
  seconds?: number | undefined;
  /** Most megabytes of a message, 4 if absent. */
  megabytes?: number | undefined;
  /** Without `solved` and `judge`: an episode is solved when its last reward is at least this; 1 if absent. */
  solvedAt?: number | undefined;
}

/** Types of a reward function: `export function reward(task: Task, trace: Trace): Result | Promise<Result>`. */

export interface Message {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: string;
  /** Of a tool's answer: which call it answers. */
  name?: string | undefined;
}

export interface ToolCall {
  name: string;
  arguments: Record<string, unknown>;
}

export interface Tool {
  name: string;
  description: string;
  /** JSON Schema. */
  parameters: Record<string, unknown>;
}

/** The task that was attempted. */
export interface Task {
  id: string;
  /** Tasks written from one seed in one epoch. */
  family: string;
  epoch: number;
  /** The agent's prompt. */
  prompt: Message[];
  tools?: Tool[] | undefined;
  /** The task's evaluation: `kind`, and the fields of that kind. */
  evaluation: { kind: string; [more: string]: unknown };
  /** The right answer, where one is known. */
  gold: string | null;
  /** Id of the task that it varies. */
  seed: string | null;
  plan: string;
}

/** The attempt that is judged. */
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

/** A number from 0 to 1 alone is a success only when it is exactly 1. */
export type Result =
  | number
  | {
      /** Counts in success rates. */
      success: boolean;
      /** The training reward: 0 to 1. */
      reward: number;
      parts?: Record<string, number> | undefined;
      note?: string | undefined;
    };

export type Reward = (task: Task, trace: Trace) => Result | Promise<Result>;

import type { Message } from '../../../shared/records/message.ts';
import type { ToolSpec } from '../../../shared/records/task.ts';

/** One attempt by another program, from any file form. */
export interface Rollout {
  prompt: Message[];
  /** The messages after the prompt: at least one assistant turn. */
  messages: Message[];
  tools: ToolSpec[];
  gold: string | null;
  /** As that program gave it, on its own scale; null where it says none. */
  reward: number | null;
  /** Where it says so beside the reward. */
  success: boolean | null;
  /** Other numbers that it was judged by. */
  parts: Record<string, number>;
  /** The checker or the environment failed; for people. */
  error: string | null;
  /** Training step; null where it says none. */
  step: number | null;
  /** The file's own name of the task; null where only the prompt distinguishes tasks. */
  task: string | null;
  /** Model or policy version; null where it says none. */
  version: string | null;
  stopReason: 'stop' | 'length';
  /** Sampled tokens; null where it says none. */
  tokens: number | null;
}

/** Why a row is no attempt: the field and its fault. */
export interface Unfit {
  field: string;
  message: string;
}

export const isUnfit = (value: Rollout | Unfit): value is Unfit => 'field' in value;

/** Whose forms are read. */
export const rolloutFormats = ['verl', 'trl', 'verifiers', 'messages'] as const;
export type RolloutFormat = (typeof rolloutFormats)[number];

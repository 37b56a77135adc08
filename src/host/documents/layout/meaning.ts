/** The meanings of stretches and parts of a document. */
import type { HealthFlag } from '../../../features/health/contract.ts';
import type { ToolSpec } from '../../../shared/records/task.ts';
import type { Verdict } from '../../../shared/records/trace.ts';
import type { TextPlace } from './place.ts';
import type { RewardComputation } from '../../../runs/records/rewardComputation.ts';
import type { Surprise } from './surprise.ts';

/** The kind of a part of a document. */
export type PartKind =
  | 'document'
  | 'section'
  /** One message of the conversation that a task poses. */
  | 'message'
  /** One message of an attempt. */
  | 'turn'
  /** The agent's last message. */
  | 'final'
  /** The agent's reasoning before a message. */
  | 'reasoning'
  /** A tool that may be called. */
  | 'tool'
  /** One attempt at a task. */
  | 'attempt';

export type Meaning =
  | { kind: 'task'; task: string; epoch: number }
  | { kind: 'family'; family: string; epoch: number }
  | { kind: 'run' }
  | { kind: 'trace'; trace: string }
  /** An attempt that a user requested. */
  | { kind: 'again'; trace: string }
  | { kind: 'flag'; flag: HealthFlag }
  /** How an attempt was judged. */
  | { kind: 'verdict'; verdict: Verdict; trace: string }
  | { kind: 'reward'; computation: RewardComputation }
  /** A call of a tool, with its arguments where they can be found. */
  | { kind: 'call'; tool: ToolSpec }
  /** The first line of a message of an attempt; `turn` counts from 0. */
  | { kind: 'turn'; turn: number; final: boolean; tokens: number; surprise: Surprise | null }
  /** A word of the gold that the answer lacks, or of the answer that the gold lacks. */
  | { kind: 'differs'; side: 'missing' | 'extra' }
  /** A text of which only some is shown: the way to more of it. */
  | { kind: 'elided'; place: TextPlace }
  /** A sampled token among the least expected of its turn: −logprob in nats. */
  | { kind: 'surprising'; nats: number };

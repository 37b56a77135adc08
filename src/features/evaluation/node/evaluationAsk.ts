import type { Adapter } from '../../../shared/adapters/schema.ts';
import type { PolicyChoice } from './openChoice.ts';

export interface EvaluationAsk {
  adapter: Adapter;
  /** Of the benchmark's data, absolute. */
  data: string;
  /** A person allows files outside of its folder. */
  outside?: boolean;
  /** All when empty. */
  splits: readonly string[];
  /** How many tasks to draw; null for all. */
  sample: number | null;
  seed: number;
  /** n, attempts a task. */
  attempts: number;
  temperature: number;
  maxTokens: number;
  policy: PolicyChoice;
  /** Whose agent judges the answers, by the adapter's prompt; the rule alone when absent. */
  judge?: Extract<PolicyChoice, { kind: 'experiment' }> | null;
  /** The adapter's file, absolute: with it the evaluation can be carried on from its folder alone. */
  adapterFile?: string;
  /** Where an evaluation of this name goes, absolute. */
  folderOf: (name: string) => string;
}

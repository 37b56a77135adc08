/** The forms that a pool can be exported in. */
import * as l10n from '@vscode/l10n';
import type * as z from 'zod';
import { baseLineSchema, traceLineSchema } from './agentPool.ts';
import { environmentLineSchema } from './environmentPool.ts';
import { attemptSchema, weightedWritingSchema, writingSchema } from './rows/conversationRows.ts';
import { attemptDatumSchema, writingDatumSchema } from './rows/datumRows.ts';
import { trlPromptSchema, verlPromptSchema } from './rows/promptRows.ts';

export const exportedPools = ['agent', 'environment'] as const;
export type ExportedPool = (typeof exportedPools)[number];

export const formatNames = ['jsonl', 'verl', 'messages', 'tinker'] as const;
export type FormatName = (typeof formatNames)[number];

/** Kinds of rows of the agent pool as `messages`: a task to reinforce on, or an attempt to imitate. */
export const rowKinds = ['tasks', 'attempts'] as const;
type RowKind = (typeof rowKinds)[number];

/** How weights are exported for supervised trainers without a weight column. */
export const weightings = ['resample', 'column'] as const;
type Weighting = (typeof weightings)[number];

export interface AgentChoice {
  pool: 'agent';
  format: FormatName;
  /** Only `messages` has both kinds. */
  rows: RowKind;
}

export interface EnvironmentChoice {
  pool: 'environment';
  format: FormatName;
  /** Only `verl` and `messages` ask: the others carry their weights. */
  weights: Weighting;
}

/** The pool to export, and its format. */
export type ExportChoice = AgentChoice | EnvironmentChoice;

export interface Format {
  /** The purpose of the rows, as a clause. */
  use: string;
  /** Its rows; the agent pool's own lines are of two kinds. */
  rows: readonly z.ZodObject[];
  /** Whether its rows have columns: the same fields with the same types in each. */
  parquet: boolean;
}

export const formatOf = (choice: ExportChoice): Format =>
  choice.pool === 'agent' ? agentFormat(choice) : environmentFormat(choice);

const own = (): string => l10n.t('everything this project knows of each entry, in its own form');

function agentFormat(choice: AgentChoice): Format {
  if (choice.format === 'jsonl') return lines(own(), baseLineSchema, traceLineSchema);
  if (choice.format === 'tinker')
    return lines(l10n.t('datums of attempts for policy-gradient losses'), attemptDatumSchema);
  if (choice.format === 'verl') return columns(l10n.t("a row a task for verl's RL trainer"), verlPromptSchema);
  return choice.rows === 'tasks'
    ? columns(l10n.t("a row a task for TRL's GRPO trainer"), trlPromptSchema)
    : columns(l10n.t('solved attempts as conversations for supervised training'), attemptSchema);
}

function environmentFormat(choice: EnvironmentChoice): Format {
  if (choice.format === 'jsonl') return lines(own(), environmentLineSchema);
  if (choice.format === 'tinker') return lines(l10n.t('weighted datums for cross-entropy'), writingDatumSchema);
  return choice.weights === 'column'
    ? columns(l10n.t('conversations for supervised training, with a column of weights'), weightedWritingSchema)
    : columns(l10n.t('conversations for supervised training, resampled in proportion to their weights'), writingSchema);
}

const lines = (use: string, ...rows: z.ZodObject[]): Format => ({ use, rows, parquet: false });
const columns = (use: string, row: z.ZodObject): Format => ({ use, rows: [row], parquet: true });

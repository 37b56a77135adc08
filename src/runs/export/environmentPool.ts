/** D_env as lines of this project's own form: the environment policy's training data, with all its weights. */
import * as z from 'zod';
import { messageSchema } from '../../shared/records/message.ts';
import { defined } from '../../shared/defined.ts';
import { environmentItems, type EnvironmentItem } from './environmentItems.ts';
import type { PoolSource } from './poolSource.ts';

const rateSchema = z.strictObject({ successes: z.int(), attempts: z.int(), p: z.number().nullable() });

export const environmentLineSchema = z.strictObject({
  v: z.literal(1).describe('version of this form'),
  epoch: z.int().describe('that scored it'),
  family: z.string().describe('its family'),
  task: z.string().describe('its id'),
  seed: z.string().nullable().describe('the seed task it varies'),
  plan: z.string().describe('the plan it was written from; empty without one'),
  version: z.string().describe('the environment that wrote it'),
  context: z.array(messageSchema).optional().describe("what the environment policy read, its plan's turn included"),
  text: z.string().describe('what it wrote'),
  tokens: z.array(z.int()).describe('both as its token ids'),
  spans: z.array(z.tuple([z.int(), z.int()])).describe('the generated positions of `tokens`, as [start, end) pairs'),
  weight: z.number().describe('exp(λR_env) with the λ of that epoch; 1.797…e308 where it is more'),
  normalisedWeight: z.number().describe('its share of that epoch’s update, filter included; an epoch’s sum to 1'),
  kept: z.number().describe('the filter’s share of its family, 1 unless the filter is soft'),
  environmentReward: z.number().describe('R_env'),
  successRate: rateSchema.describe('p̂ of the task'),
  familySuccessRate: rateSchema.describe('p̂ of its family'),
});
export type EnvironmentPoolLine = z.infer<typeof environmentLineSchema>;

/** @throws RunError as `environmentItems` does */
export async function* environmentPool(source: PoolSource): AsyncGenerator<EnvironmentPoolLine> {
  for await (const item of environmentItems(source)) yield instanceLine(item);
}

/** The line of one task that an epoch's update learned from. */
export function instanceLine(item: Omit<EnvironmentItem, 'weight'>): EnvironmentPoolLine {
  const { epoch, lambda, family, scored, task, generation } = item;
  return {
    v: 1,
    epoch,
    family: family.id,
    task: scored.id,
    seed: task.seed,
    plan: task.plan,
    version: generation.version,
    ...defined({ context: generation.context }),
    text: generation.text,
    tokens: generation.tokens,
    spans: generation.spans,
    // JSON has no infinity; `normalisedWeight` is right for every λ.
    weight: Math.min(Number.MAX_VALUE, Math.exp(lambda * (scored.environmentReward ?? 0))),
    normalisedWeight: scored.weight,
    kept: family.kept,
    // Every task that an update learned from has one.
    environmentReward: scored.environmentReward ?? 0,
    successRate: rate(scored),
    familySuccessRate: rate(family.successRate),
  };
}

const rate = ({ successes, attempts }: { successes: number; attempts: number }): z.infer<typeof rateSchema> => ({
  successes,
  attempts,
  p: attempts === 0 ? null : successes / attempts,
});

/** Training sequences by their recorded token ids, as the Tinker protocol's `forward_backward` takes them. */
import * as z from 'zod';
import { advantageDatum, sampledCount, weightDatum } from '../../../engine/math/sequence.ts';
import type { Sequence, Trace } from '../../../shared/records/trace.ts';
import { datumJson, datumSchema, toWire } from '../../../shared/tinker/datum.ts';
import type { AgentItem } from '../agentItems.ts';
import type { EnvironmentItem } from '../environmentItems.ts';
import type { Leave } from '../leftOut.ts';
import type { Advantages } from './advantages.ts';

const head = {
  v: z.literal(1).describe('version of this form'),
  task: z.string().describe('id of the task'),
  family: z.string().describe('its family'),
  epoch: z.int().describe('of the attempt; of the environment pool, that scored it'),
  version: z.string().describe('the policy that sampled the tokens'),
};

export const attemptDatumSchema = z.strictObject({
  ...head,
  trace: z.string().describe('id of the attempt; one with a rewritten history has several datums'),
  reward: z.number().describe('0 … 1'),
  loss_fn: z.literal('importance_sampling').describe('or `ppo`, `cispo`: they take the same inputs'),
  datum: datumSchema.describe(
    '`model_input`, and `loss_fn_inputs` with `target_tokens`, `logprobs` (as sampled), `advantages`',
  ),
});

export const writingDatumSchema = z.strictObject({
  ...head,
  loss_fn: z.literal('cross_entropy').describe('the loss that takes these inputs'),
  datum: datumSchema.describe('`model_input`, and `loss_fn_inputs` with `target_tokens`, `weights`'),
});

type Row<Schema extends z.ZodObject> = Omit<z.infer<Schema>, 'datum'> & { datum: ReturnType<typeof datumJson> };

/** Group-relative advantages, over all judged attempts at a task in an epoch; the pool's own attempts alone are rows. */
export async function* attemptDatums(
  items: AsyncIterable<AgentItem>,
  advantages: Advantages,
  leave: Leave,
): AsyncGenerator<Row<typeof attemptDatumSchema>> {
  for await (const item of items) {
    if (item.kind === 'base') {
      leave('base', item.task.id);
      continue;
    }
    const { trace } = item;
    const untold = whyUntrainable(trace.sequences);
    const advantage = advantages.of(trace);
    if (untold !== null) leave(untold, trace.id);
    else if (typeof advantage === 'string') leave(advantage, trace.id);
    else for (const sequence of trace.sequences) yield attemptDatum(trace, sequence, advantage);
  }
}

function attemptDatum(trace: Trace, sequence: Sequence, advantage: number): Row<typeof attemptDatumSchema> {
  const { id, task, family, epoch, version, verdict } = trace;
  const datum = advantageDatum(sequence, new Array<number>(sampledCount(sequence)).fill(advantage));
  return {
    ...{ v: 1, task, family, epoch, version, trace: id, reward: verdict.reward, loss_fn: 'importance_sampling' },
    datum: datumJson(toWire(datum)),
  };
}

/** Why sequences cannot be trained on by their ids and logprobs. */
function whyUntrainable(sequences: readonly Sequence[]): 'no-tokens' | 'no-logprobs' | null {
  const sampled = sequences.reduce((sum, sequence) => sum + sampledCount(sequence), 0);
  if (sampled === 0) return 'no-tokens';
  return sequences.every((sequence) => sequence.logprobs.length === sampledCount(sequence)) ? null : 'no-logprobs';
}

/** @param share whether instances count equally whatever their length (`environment.tokenWeights`), by epoch */
export async function* writingDatums(
  items: AsyncIterable<EnvironmentItem>,
  share: (epoch: number) => 'instance' | 'sequence',
  leave: Leave,
): AsyncGenerator<Row<typeof writingDatumSchema>> {
  for await (const { epoch, family, task, generation, weight } of items) {
    const count = sampledCount(generation);
    if (count === 0) {
      leave('no-tokens', task.id);
      continue;
    }
    const each = share(epoch) === 'instance' ? weight / count : weight;
    const datum = weightDatum(generation, new Array<number>(count).fill(each));
    const { version } = generation;
    yield {
      ...{ v: 1, task: task.id, family: family.id, epoch, version, loss_fn: 'cross_entropy' },
      datum: datumJson(toWire(datum)),
    };
  }
}

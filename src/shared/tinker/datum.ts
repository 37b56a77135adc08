/** A training sequence as the Tinker protocol writes it (§5): JSON of a `Datum`, and the shift by one token. */
import * as z from 'zod';

const tensorSchema = z.object({
  data: z.array(z.number()),
  dtype: z.enum(['float32', 'int64']).optional(),
  shape: z.array(z.int().nonnegative()).optional(),
});

const chunkSchema = z.object({ type: z.literal('encoded_text').optional(), tokens: z.array(z.int().nonnegative()) });
/** A prompt or a training sequence: text chunks only. */
export const modelInputSchema = z.object({ chunks: z.array(chunkSchema) });

/** Arrays by name. Unknown names are errors on the hosted service. */
export const lossInputsSchema = z.record(z.string(), tensorSchema);

export const datumSchema = z.object({ model_input: modelInputSchema, loss_fn_inputs: lossInputsSchema });

/** One training sequence: `tokens` are the input; every array of `inputs` is aligned with the scored positions. */
export interface WireDatum {
  tokens: readonly number[];
  inputs: Readonly<Record<string, readonly number[]>>;
}

/** Arrays of full length L, aligned with `tokens`. */
interface Aligned {
  tokens: readonly number[];
  weights?: readonly number[];
  logprobs?: readonly number[];
  advantages?: readonly number[];
}

/** L tokens become L−1 positions, each scored on the next token: the first is never scored, the last one never read. */
export function toWire({ tokens, weights, logprobs, advantages }: Aligned): WireDatum {
  const inputs: Record<string, readonly number[]> = { target_tokens: tokens.slice(1) };
  if (weights !== undefined) inputs['weights'] = weights.slice(1);
  if (logprobs !== undefined) inputs['logprobs'] = logprobs.slice(1);
  if (advantages !== undefined) inputs['advantages'] = advantages.slice(1);
  return { tokens: tokens.slice(0, -1), inputs };
}

/** Targets are ids; everything else is a real number. */
export const dtypeOfInput = (name: string): 'int64' | 'float32' => (name === 'target_tokens' ? 'int64' : 'float32');

/** A datum's JSON, as `datumSchema` reads it. */
export const datumJson = ({ tokens, inputs }: WireDatum) => ({
  model_input: { chunks: [{ type: 'encoded_text' as const, tokens }] },
  loss_fn_inputs: Object.fromEntries(
    Object.entries(inputs).map(([name, values]) => [
      name,
      { data: values, dtype: dtypeOfInput(name), shape: [values.length] },
    ]),
  ),
});

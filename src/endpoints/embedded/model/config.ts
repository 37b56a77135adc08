/** Shape of a model. Data in the weights file, never constants of the code. */
import * as l10n from '@vscode/l10n';
import * as z from 'zod';

/** Width of one attention head: the attention kernels are written for it. */
export const headWidth = 16;

export const modelConfigSchema = z
  .strictObject({
    layers: z.int().min(1).max(12),
    /** Residual width d; the MLP is 4·d wide. */
    width: z.int().min(16).max(1024),
    /** Of width 16 each, an even number: the attention kernels are written so. */
    heads: z.int().min(2).multipleOf(2),
    /** Number of words. */
    vocabulary: z.int().min(2).max(65_536),
    /** Prompt plus completion, in tokens. */
    context: z.int().min(2).max(4096),
    /** Rotary embedding: how many dimensions of each head rotate, and the base of their frequencies. */
    rope: z.strictObject({ dimensions: z.union([z.literal(8), z.literal(16)]), base: z.number().positive() }),
    normEpsilon: z.number().positive(),
  })
  .refine((config) => config.width === config.heads * headWidth, {
    error: (): string => l10n.t('width must be heads × {0}: the attention kernels have heads of that width', headWidth),
  });
export type ModelConfig = z.infer<typeof modelConfigSchema>;

/** The size that the shipped policies have (embedded-policy study: 2 layers, d 64, 164,160 parameters at 128 words). */
export function defaultConfig(vocabulary: number, context = 256): ModelConfig {
  return {
    layers: 2,
    width: 64,
    heads: 4,
    vocabulary,
    context,
    rope: { dimensions: 8, base: 1000 },
    normEpsilon: 1e-5,
  };
}

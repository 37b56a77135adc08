/** `verl.trainer.sft_trainer_ray` of the tests. */
import { readFileSync } from 'node:fs';
import { parquetReadObjects } from 'hyparquet';
import * as z from 'zod';
import { Rng } from '../../../src/engine/random.ts';
import type { Overrides } from './hydra.ts';
import { adamOf, loadModel, save, track } from './tracking.ts';

const rowSchema = z.object({
  messages: z.array(z.object({ role: z.enum(['system', 'user', 'assistant', 'tool']), content: z.string() })),
});

/** Every assistant token of a batch counts alike. */
export async function supervised(given: Overrides): Promise<void> {
  const path = given.text('data.train_files');
  if (!path.endsWith('.parquet')) throw new Error(`AssertionError: ${path} is no parquet file`);
  const bytes = readFileSync(path);
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const rows = z.array(rowSchema).parse(await parquetReadObjects({ file }));
  const size = given.number('data.train_batch_size');
  const gpus = given.number('trainer.nnodes') * given.number('trainer.n_gpus_per_node');
  if (size % gpus !== 0) throw new Error('AssertionError: train_batch_size must be divisible by the number of GPUs');
  const policy = await loadModel(given, 'model');
  const order = Rng.from(given.number('trainer.seed')).shuffle(rows);
  const steps = Math.floor(rows.length / size);
  for (let step = 1; step <= steps; step++) {
    const batch = await Promise.all(
      order.slice((step - 1) * size, step * size).map(({ messages }) => policy.render(messages)),
    );
    const total = batch.flatMap(({ spans }) => spans).reduce((sum, [start, end]) => sum + end - start, 0);
    const data = batch.map(({ tokens, spans }) => ({
      tokens,
      weights: tokens.map((_, i) => (spans.some(([start, end]) => i >= start && i < end) ? 1 / total : 0)),
    }));
    const { loss } = await policy.accumulate(data, { name: 'cross_entropy' });
    const { gradNorm } = await policy.step(adamOf(given, 'optim'));
    track(given, step, { 'train/loss': loss, 'train/grad_norm': gradNorm ?? 0, 'train/lr': given.number('optim.lr') });
  }
  await save(given, policy, 'model', steps, '');
  await policy.dispose();
}

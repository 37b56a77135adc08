/** `verl.trainer.main_ppo` of the tests. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import type { EmbeddedPolicy } from '../../../src/endpoints/embedded/embeddedPolicy.ts';
import { groupAdvantages } from '../../../src/engine/math/advantage.ts';
import type { Datum } from '../../../src/engine/ports.ts';
import { seedFrom } from '../../../src/engine/random.ts';
import type { Overrides } from './hydra.ts';
import { adamOf, loadModel, save, track } from './tracking.ts';
import { outOfRange } from '../../../src/shared/outOfRange.ts';
import type { Completion } from '../../../src/engine/completion.ts';

const rowSchema = z.strictObject({
  data_source: z.string(),
  ability: z.string(),
  prompt: z.array(z.strictObject({ role: z.enum(['system', 'user', 'assistant', 'tool']), content: z.string() })),
  reward_model: z.strictObject({ style: z.literal('rule'), ground_truth: z.string() }),
  extra_info: z.record(z.string(), z.union([z.string(), z.number()])),
});
type Row = z.infer<typeof rowSchema>;

const scoreSchema = z.looseObject({ score: z.number() });

const [actor, rollout] = ['actor_rollout_ref.actor', 'actor_rollout_ref.rollout'];

interface Attempt extends Completion {
  row: Row;
  group: number;
  text: string;
  told: z.infer<typeof scoreSchema>;
}

export async function grpo(given: Overrides): Promise<void> {
  const rows = rowsOf(given);
  const [batch, group] = [given.number('data.train_batch_size'), given.number(`${rollout}.n`)];
  const mini = given.number(`${actor}.ppo_mini_batch_size`);
  const gpus = given.number('trainer.nnodes') * given.number('trainer.n_gpus_per_node');
  if ((batch * group) % gpus !== 0) throw new Error('AssertionError: real_train_batch_size must be divisible');
  if (batch % mini !== 0 || (mini * group) % gpus !== 0 || batch < mini) throw new Error('AssertionError: mini batch');
  if (given.text('algorithm.adv_estimator') !== 'grpo') throw new Error('this stand-in knows GRPO only');
  if (given.flag(`${actor}.use_kl_loss`)) throw new Error('this stand-in has no KL loss');
  const steps = Math.floor(rows.length / batch);
  if (steps === 0) throw new Error('AssertionError: Train dataloader is empty!');
  const policy = await loadModel(given, 'actor_rollout_ref.model');
  for (let step = 1; step <= steps; step++) {
    const attempts = await attempt(given, policy, rows.slice((step - 1) * batch, step * batch), group, step);
    dump(given, step, attempts);
    const data = await update(given, policy, attempts, mini);
    track(given, step, data);
    await save(given, policy, 'actor_rollout_ref.model', step, 'actor');
  }
  await policy.dispose();
}

/** Unfit rows are left out silently. */
function rowsOf(given: Overrides): Row[] {
  const lines = readFileSync(given.text('data.train_files'), 'utf8').split('\n').filter(Boolean);
  const rows = lines.map((line) => rowSchema.parse(JSON.parse(line)));
  console.log(`dataset len: ${rows.length}`);
  return rows;
}

async function attempt(given: Overrides, policy: EmbeddedPolicy, rows: readonly Row[], group: number, step: number) {
  const version = await policy.publish(`rollout-${step}`);
  const requests = rows.map(({ prompt: messages }, i) => ({
    ...{ id: String(i), messages, n: group, seed: seedFrom(given.number('data.seed'), step, i) },
    maxTokens: given.number('data.max_response_length'),
    temperature: given.number(`${rollout}.temperature`),
  }));
  const untold: Omit<Attempt, 'told'>[] = [];
  for await (const completion of policy.sample(version, requests, new AbortController().signal)) {
    const group = Number(completion.requestId);
    const row = rows[group];
    if (row === undefined) throw new Error('a completion of no row');
    // Special tokens are no part of a text.
    untold.push({ ...completion, row, group, text: completion.text.replace(/ ?<end>$/, '') });
  }
  const told = judge(given, untold);
  return untold.map((one, i): Attempt => ({ ...one, told: told[i] ?? { score: 0 } }));
}

/** One process of Python for all of them. */
function judge(given: Overrides, attempts: readonly Omit<Attempt, 'told'>[]) {
  const script = fileURLToPath(new URL('python/rewards.py', import.meta.url));
  const file = 'reward.custom_reward_function';
  const input = attempts.map(({ row, text }) => {
    const { data_source, reward_model, extra_info } = row;
    const call = { data_source, solution_str: text, ground_truth: reward_model.ground_truth };
    return JSON.stringify({ ...call, extra_info: { ...extra_info, num_turns: 2 } });
  });
  const words = [script, given.text(`${file}.path`), given.text(`${file}.name`)];
  const { status, stdout, stderr } = spawnSync('python3', words, { input: input.join('\n'), maxBuffer: 2 ** 28 });
  if (status !== 0) throw new Error(stderr.toString());
  return stdout
    .toString()
    .split('\n')
    .filter(Boolean)
    .map((line) => scoreSchema.parse(JSON.parse(line)));
}

/** As verl's newer trainer writes it: sorted by random names, and nothing that a reward file says but its score. */
function dump(given: Overrides, step: number, attempts: readonly Attempt[]): void {
  const folder = given.text('trainer.rollout_data_dir');
  mkdirSync(folder, { recursive: true });
  const uid = ({ group, index }: Attempt): string =>
    `${(seedFrom(7, group) >>> 0).toString(16).padStart(8, '0')}_${index}_0`;
  const sorted = attempts.toSorted((a, b) => uid(a).localeCompare(uid(b)));
  const lines = sorted.map((one) => {
    const input = one.row.prompt.map(({ content }) => content).join('\n');
    const gts = one.row.reward_model.ground_truth;
    return `${JSON.stringify({ input, output: one.text, gts, score: one.told.score, step, uid: uid(one) })}\n`;
  });
  writeFileSync(join(folder, `${step}.jsonl`), lines.join(''));
}

async function update(given: Overrides, policy: EmbeddedPolicy, all: readonly Attempt[], mini: number) {
  const norm = given.flag('algorithm.norm_adv_by_std_in_grpo') ? 'group-std' : 'none';
  const groups = [...Map.groupBy(all, (one) => one.group).values()];
  const taught = groups.map((attempts) => {
    const advantages = groupAdvantages(
      attempts.map(({ told }) => told.score),
      norm,
    );
    return attempts.map((one, i) => ({ ...one, advantage: advantages[i] ?? outOfRange() }));
  });
  const [clipLow, clipHigh] = [
    1 - given.number(`${actor}.clip_ratio_low`),
    1 + given.number(`${actor}.clip_ratio_high`),
  ];
  const mode = given.text(`${actor}.policy_loss.loss_mode`) === 'cispo' ? 'cispo' : 'ppo';
  let [loss, gradNorm] = [0, 0];
  for (let epoch = 0; epoch < given.number(`${actor}.ppo_epochs`); epoch++) {
    for (let start = 0; start < taught.length; start += mini) {
      const batch = taught.slice(start, start + mini).flat();
      const tokens = batch.reduce((sum, one) => sum + one.tokens.length, 0);
      const mean = given.text(`${actor}.loss_agg_mode`) === 'token-mean' ? tokens : batch.length;
      const data = batch.map((one) => datumOf(one, one.advantage / mean));
      const metrics = await policy.accumulate(data, { name: mode, clipLow, clipHigh });
      const stepped = await policy.step(adamOf(given, `${actor}.optim`));
      [loss, gradNorm] = [metrics.loss, stepped.gradNorm ?? 0];
    }
  }
  const scores = all.map(({ told }) => told.score);
  const lengths = all.map(({ tokens }) => tokens.length);
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  return {
    ...{ 'critic/score/mean': mean(scores), 'critic/score/max': Math.max(...scores), 'actor/pg_loss': loss },
    ...{ 'actor/grad_norm': gradNorm, 'actor/kl_loss': 0.002, 'response_length/mean': mean(lengths) },
    'val-core/genenv/storekeeper/reward/mean@1': Number.NaN,
  };
}

function datumOf({ promptTokens, tokens, logprobs }: Completion, advantage: number): Datum {
  const before = new Array<number>(promptTokens.length).fill(0);
  return {
    tokens: [...promptTokens, ...tokens],
    logprobs: [...before, ...logprobs],
    advantages: [...before, ...tokens.map(() => advantage)],
  };
}

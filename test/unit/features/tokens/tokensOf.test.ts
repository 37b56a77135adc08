import assert from 'node:assert/strict';
import { mkdtemp, rm, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedTrainer } from '../../../../src/endpoints/embedded/model/trainer.ts';
import { readWeights } from '../../../../src/endpoints/embedded/model/weights.ts';
import { readCheckpointBytes } from '../../../../src/endpoints/embedded/model/checkpoint.ts';
import { tokensOf } from '../../../../src/features/tokens/node/tokensOf.ts';
import { environmentKeys } from '../../../../src/launch/access/keys.ts';
import { versionsOf } from '../../../../src/launch/policies/versionsOf.ts';
import { RunStore } from '../../../../src/runs/store/runStore.ts';
import type { RunReader } from '../../../../src/runs/store/runReader.ts';
import { resolveExperiment } from '../../../../src/shared/experiment/resolve.ts';
import type { Trace } from '../../../../src/shared/records/trace.ts';
import { kernelBytes } from '../../../support/embedded/kernels.ts';
import { fromSources as dist } from '../../../support/fromSources.ts';
import { launchHere } from '../../../support/launchHere.ts';
import { onlyRun } from '../../../support/runContents.ts';
import { tiny } from '../../../support/tiny.ts';

const clock = { now: () => 1_763_769_600_000 };
const log = { info: () => undefined, warn: () => undefined };
/** Of the engine's own comparison of sampled with scored log-probabilities; records are rounded to six decimals. */
const tolerance = 1e-5;

describe('the tokens of a trace', function () {
  this.timeout(240_000);
  let root = '';
  let run: RunReader;
  let traces: Trace[];

  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'genenv-tokens-'));
    const agent = { loss: 'ppo', clipLow: 0.999, clipHigh: 1.001 } as const;
    const experiment = resolveExperiment({ version: 1, ...tiny, agent });
    const { state } = await launchHere({ root, notes: [] }, { experiment, directory: root }, {});
    assert.equal(state, 'finished');
    run = await new RunStore(root, { clock, log, version: 'test' }).openReader(await onlyRun(root));
    traces = (await run.tracesOf(1)).filter(({ purpose }) => purpose === 'train');
  });
  after(async () => {
    await run.close();
    await rm(root, { recursive: true, force: true });
  });

  const groupOf = (trace: Trace): Trace[] => traces.filter(({ task }) => task === trace.task);
  const told = (trace: Trace, version: string | null = null) =>
    tokensOf(
      run,
      { trace, group: groupOf(trace), version },
      { dist, clock, log, keys: environmentKeys({}), signal: new AbortController().signal },
    );
  const taught = (): Trace =>
    traces.find((trace) => groupOf(trace).some(({ verdict }) => verdict.reward !== trace.verdict.reward)) ??
    assert.fail('no group teaches');

  /** The model of a version, opened without the code under test. */
  async function trainerOf(name: string): Promise<EmbeddedTrainer> {
    const found = (await versionsOf(run)).find(({ version }) => version.name === name);
    const path = join(run.dir, 'checkpoints', found?.checkpoint.handle ?? '');
    return new EmbeddedTrainer(kernelBytes(), readWeights(readCheckpointBytes(path), name));
  }

  it('have the recorded log-probabilities, which the loaded version gives again', async () => {
    for (const trace of traces.slice(0, 12)) {
      const shown = await told(trace);
      const tokens = shown.answers.flatMap((answer) => answer.tokens);
      assert.deepEqual(
        tokens.map(({ sampled }) => sampled),
        trace.sequences.flatMap(({ logprobs }) => logprobs),
      );
      assert(shown.recomputed !== null && shown.recomputed < tolerance, `${trace.id}: ${shown.recomputed}`);
    }
  });

  it('are the words of the answers, each with the entropy that all words have together', async () => {
    const trace = taught();
    const trainer = await trainerOf(trace.version);
    const { answers } = await told(trace);
    const said = trace.messages.filter(({ role }) => role === 'assistant');
    for (const [i, { tokens, turn }] of answers.entries()) {
      const words = tokens.map(({ text }) => text);
      assert.equal(words.filter((word) => word !== '<end>').join(' '), said[i]?.content);
      assert.equal(trace.messages[turn ?? -1], said[i]);
    }
    const [sequence] = trace.sequences;
    const [[start] = [0]] = sequence?.spans ?? [];
    const before = sequence?.tokens.slice(0, start) ?? [];
    const every = Array.from({ length: trainer.config.vocabulary }, (_, word) => [...before, word]);
    const logprobs = trainer.score(null, every).map((row) => row.at(-1) ?? NaN);
    const entropy = -logprobs.reduce((sum, p) => sum + Math.exp(p) * p, 0);
    assert(Math.abs((answers[0]?.tokens[0]?.entropy ?? NaN) - entropy) < 1e-4);
  });

  it('are held against the version after the update, whose ratios the loss may clip', async () => {
    const trace = taught();
    const shown = await told(trace);
    const [from, to] = [trace.version, shown.other].map((name) => Number(name?.split('@')[1]));
    assert(to !== undefined && from !== undefined && to > from, `${shown.other} is after ${trace.version}`);
    const trainer = await trainerOf(shown.other ?? '');
    const now = trainer.score(
      null,
      trace.sequences.map(({ tokens }) => tokens),
    );
    const places = trace.sequences.flatMap(({ spans }, sequence) =>
      spans.flatMap(([start, end]) => Array.from({ length: end - start }, (_, i) => now[sequence]?.[start + i] ?? NaN)),
    );
    const tokens = shown.answers.flatMap((answer) => answer.tokens);
    let held = 0;
    for (const [i, { sampled, now: own, ratio, advantage, clip }] of tokens.entries()) {
      assert(Math.abs((own ?? NaN) - (places[i] ?? NaN)) < tolerance);
      assert.equal(ratio, Math.exp((own ?? NaN) - (sampled ?? NaN)));
      const moved = advantage !== null && advantage > 0 ? ratio > 1.001 : ratio < 0.999;
      assert.equal(clip !== 'free', moved);
      if (moved) held += 1;
    }
    assert(held > 0, 'some token is clipped');
    const { advantage } = tokens[0] ?? {};
    const rewards = groupOf(trace).map(({ verdict }) => verdict.reward);
    const mean = rewards.reduce((sum, one) => sum + one, 0) / rewards.length;
    assert.equal(Math.sign(advantage ?? 0), Math.sign(trace.verdict.reward - mean));
    assert.deepEqual(shown.why, {});
  });

  it('say what is not known, and why: never a zero', async () => {
    const [trace = assert.fail('no trace')] = traces;
    const silent = { ...trace, sequences: trace.sequences.map((one) => ({ ...one, logprobs: [] })) };
    const shown = await told(silent);
    const [token] = shown.answers.flatMap(({ tokens }) => tokens);
    assert.deepEqual([token?.sampled, token?.ratio, token?.clip], [null, null, null]);
    assert.deepEqual([shown.why.sampled, shown.why.clip, shown.recomputed], ['no-logprobs', 'no-ratio', null]);
    const counted = await told({ ...trace, sequences: [], counted: { prompt: 3, answer: 4 } });
    assert.deepEqual([counted.answers, counted.without], [[], 'counted']);
    const unkept = trace.sequences.map((one) => ({ ...one, tokens: [], logprobs: [] }));
    const { answers, without } = await told({ ...trace, purpose: 'validation', sequences: unkept });
    assert.deepEqual([answers, without], [[], 'not-kept']);
    const validated = await told({ ...trace, purpose: 'validation' });
    assert.equal(validated.why.advantage, 'not-trained');
    assert.equal(validated.why.clip, 'no-advantage');
    await assert.rejects(told(trace, 'agent@99'), { name: 'ReattemptError', message: 'agent@99 cannot be loaded.' });
  });

  it('of a version whose weights are gone keep what is recorded', async () => {
    const trace = taught();
    const found = (await versionsOf(run)).find(({ version }) => version.name === trace.version);
    await unlink(join(run.dir, 'checkpoints', found?.checkpoint.handle ?? ''));
    const shown = await told(trace);
    const [token] = shown.answers.flatMap(({ tokens }) => tokens);
    assert.equal(token?.entropy, null);
    assert(token.sampled !== null && token.ratio !== null);
    assert.deepEqual([shown.why, shown.recomputed], [{ entropy: 'not-kept' }, null]);
  });
});

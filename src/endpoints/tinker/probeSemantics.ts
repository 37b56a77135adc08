/**
 * Finds out how a server's training calls behave, on a model that is thrown away: gradient norms of the same sequence
 * once, twice, short and together, and how far steps with other settings move its logprobs. A dozen sequences of a few
 * tokens; sent together, so that a server that works in turns needs few of them.
 */
import * as l10n from '@vscode/l10n';
import type { AdamParams, Datum, Loss } from '../../engine/ports.ts';
import { EndpointError } from '../endpointError.ts';
import type { Connection } from './connection.ts';
import { thrownAway } from './ledger.ts';
import { makeModel } from './makeModel.ts';
import type { TrainingSemantics } from './trainingSemantics.ts';
import { TrainedModel } from './trainedModel.ts';
import { outOfRange } from '../../shared/outOfRange.ts';

/** The measurement; null where the server tells nothing to measure by. */
export interface Measured {
  /** Gradient norms of importance sampling with the same advantages on the same first tokens. */
  norms: { once: number; twice: number; short: number; together: number } | null;
  /** Largest change of a logprob by a step that should not move anything, should, and should not when it clips. */
  moved: { held: number; free: number; clipped: number };
}

export interface Trial {
  connection: Connection;
  baseModel: string;
  rank: number;
  role: string;
  /** Whether two models have to be there at the same time. */
  together: boolean;
  signal: AbortSignal;
}

/** Ids that every vocabulary has. */
const whole = Array.from({ length: 12 }, (_, i) => i + 1);
const short = whole.slice(0, 5);

const step: AdamParams = {
  ...{ learningRate: 1e-3, beta1: 0.9, beta2: 0.95, epsilon: 1e-8, weightDecay: 0, gradClipNorm: 0 },
};
const still: AdamParams = { ...step, learningRate: 0 };
/** So large that a step of any gradient is nothing. */
const held: AdamParams = { ...step, epsilon: 1e12 };
/** Without memory of earlier gradients in its direction, and with next to nothing left of this one. */
const clipped: AdamParams = { ...step, beta1: 0, gradClipNorm: 1e-9 };
/** A step that moves logprobs less than this says nothing. */
const visible = 1e-3;

/** @throws EndpointError `unable` for a server whose gradients are neither sums nor means, and as its calls do */
export async function probeSemantics(trial: Trial): Promise<{ semantics: TrainingSemantics; measured: Measured }> {
  const { connection, signal } = trial;
  for (const id of connection.ledger.triedIn(await connection.session(signal))) {
    await unloaded(new TrainedModel(connection, id, 0, signal));
  }
  const make = () => makeModel(connection, { ...trial, load: null, from: thrownAway }, signal);
  const model = await make();
  try {
    const models = trial.together ? await several(make) : null;
    const measured = await measure(model);
    const { held: off, free, clipped: clip } = measured.moved;
    const adam = free < visible ? null : off < free / 3 ? 'all' : 'rate';
    const semantics: TrainingSemantics = {
      reduction: reductionOf(measured.norms, connection.http.url),
      adam,
      clips: adam === 'all' ? clip < free / 3 : adam === 'rate' ? false : null,
      models,
      losses: await lossesOf(model),
    };
    return { semantics, measured };
  } finally {
    await unloaded(model);
  }
}

async function measure(model: TrainedModel): Promise<Measured> {
  const [first] = await Promise.all([model.pass([likely(whole)], { name: 'cross_entropy' }), model.step(still)]);
  const [q = []] = first.logprobs;
  const pull = async (...sequences: readonly (readonly number[])[]): Promise<number | null> => {
    const data = sequences.map((tokens): Datum => ({
      tokens,
      logprobs: q.slice(0, tokens.length),
      advantages: tokens.map((_, i) => (i > 0 && i < short.length ? 1 : 0)),
    }));
    const [, norm] = await Promise.all([model.pass(data, { name: 'importance_sampling' }), model.step(still)]);
    return norm;
  };
  const after = async (adam: AdamParams): Promise<readonly number[]> => {
    const [{ logprobs }] = await Promise.all([
      model.pass([likely(whole)], { name: 'cross_entropy' }),
      model.step(adam),
    ]);
    return logprobs[0] ?? [];
  };
  const [once, twice, brief, together, beforeHeld, beforeFree, beforeClipped, last] = await Promise.all([
    ...[pull(whole), pull(whole, whole), pull(short), pull(whole, short)],
    ...[after(held), after(step), after(clipped), after(still)],
  ] as const);
  const told = once !== null && twice !== null && brief !== null && together !== null && once > 0;
  return {
    norms: told ? { once, twice, short: brief, together } : null,
    moved: {
      held: distance(beforeHeld, beforeFree),
      free: distance(beforeFree, beforeClipped),
      clipped: distance(beforeClipped, last),
    },
  };
}

const likely = (tokens: readonly number[]): Datum => ({ tokens, weights: tokens.map((_, i) => (i > 0 ? 1 : 0)) });

const distance = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((most, value, i) => Math.max(most, Math.abs(value - (b[i] ?? outOfRange()))), 0);

/** @throws EndpointError `unable` */
function reductionOf(norms: Measured['norms'], endpoint: string): TrainingSemantics['reduction'] {
  if (norms === null) return null;
  const seen = [norms.twice, norms.short, norms.together].map((norm) => norm / norms.once);
  // Advantages stand on the same tokens, so only what the server divides by differs.
  const longer = (whole.length - 1) / (short.length - 1);
  const is = (expected: readonly number[]): boolean =>
    expected.every((value, i) => Math.abs((seen[i] ?? NaN) / value - 1) < 0.1);
  if (is([2, 1, 2])) return 'sum';
  if (is([1, longer, (1 + longer) / 2])) return 'mean';
  const said = seen.map((ratio) => Number(ratio.toPrecision(3))).join(', ');
  throw new EndpointError('unable', l10n.t('its gradients are neither sums nor means over sequences ({0})', said), {
    ...{ endpoint, request: 'forward_backward', attempts: 1 },
    remedy: l10n.t('A step there would be of another size than the run asks for: train on another server.'),
  });
}

async function several(make: () => Promise<TrainedModel>): Promise<TrainingSemantics['models']> {
  try {
    await unloaded(await make());
    return 'several';
  } catch (error) {
    if (EndpointError.is(error, 'refused') || EndpointError.is(error, 'failed')) return 'one';
    throw error;
  }
}

/** Two losses between two steps: the second counts for itself only where the first is not laid on it. */
async function lossesOf(model: TrainedModel): Promise<TrainingSemantics['losses']> {
  const nothing: Datum = { tokens: whole, logprobs: whole.map(() => 0), advantages: whole.map(() => 0) };
  const pass = (data: Datum, loss: Loss): Promise<unknown> => model.pass([data], loss);
  const [, alone] = await Promise.all([pass(likely(whole), { name: 'cross_entropy' }), model.step(still)]);
  if (alone === null) return null;
  const [passed, second, after] = await Promise.allSettled([
    pass(nothing, { name: 'importance_sampling' }),
    pass(likely(whole), { name: 'cross_entropy' }),
    model.step(still),
  ]);
  for (const one of [passed, second, after]) {
    if (one.status === 'fulfilled') continue;
    const reason: unknown = one.reason;
    if (!EndpointError.is(reason, 'refused') && !EndpointError.is(reason, 'failed')) throw reason;
    return 'first';
  }
  return after.status === 'fulfilled' && after.value !== null && after.value > alone / 10 ? 'apart' : 'first';
}

/** A model that stays behind ends with its session. */
async function unloaded(model: TrainedModel): Promise<void> {
  try {
    await model.unload();
  } catch (error) {
    if (!EndpointError.is(error, 'gone') && !EndpointError.is(error, 'refused')) throw error;
  }
}

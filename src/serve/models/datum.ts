/** From the protocol's training sequences to the trainer's: the one-token shift undone, every array checked (§5, §6). */
import type { FlatSequences } from '../../endpoints/embedded/protocol.ts';
import { flatten, flattenFloats } from '../../endpoints/embedded/protocol.ts';
import type { TrainRequest } from '../../endpoints/tinker/wire/training.ts';
import type { Loss } from '../../engine/ports.ts';
import type { WireDatum } from '../../shared/tinker/datum.ts';
import type { BaseModel } from './baseModel.ts';
import { RequestFault } from './requestFault.ts';

const needed = {
  cross_entropy: ['weights'],
  importance_sampling: ['logprobs', 'advantages'],
  ppo: ['logprobs', 'advantages'],
  cispo: ['logprobs', 'advantages'],
} as const;

const isLoss = (name: string): name is Loss['name'] => Object.hasOwn(needed, name);

/** @throws RequestFault for an unknown loss or an unknown setting of it */
function lossOf({ loss: name, config }: Pick<TrainRequest, 'loss' | 'config'>): Loss {
  if (!isLoss(name)) {
    throw new RequestFault(`There is no loss '${name}' here; there are ${Object.keys(needed).join(', ')}.`);
  }
  const clips = name === 'ppo' || name === 'cispo';
  const known = clips ? ['clip_low_threshold', 'clip_high_threshold'] : [];
  const unknown = Object.keys(config).find((key) => !known.includes(key));
  if (unknown !== undefined) throw new RequestFault(`Loss ${name} has no setting '${unknown}'.`);
  if (!clips) return { name };
  return { name, clipLow: config['clip_low_threshold'] ?? 0.8, clipHigh: config['clip_high_threshold'] ?? 1.2 };
}

/** A batch as the worker takes it: full sequences, arrays aligned with their tokens. */
export interface Batch {
  loss: Loss;
  sequences: FlatSequences;
  arrays: Readonly<Record<string, Float32Array<ArrayBuffer>>>;
}

/** @throws RequestFault that names the datum and its fault */
export function batchOf(request: TrainRequest, base: BaseModel): Batch {
  const loss = lossOf(request);
  if (request.data.length === 0) throw new RequestFault('There are no datums.');
  const [counted] = needed[loss.name].slice(-1);
  const full = request.data.map((datum, i) => sequenceOf(datum, `Datum ${i}`, base, counted));
  const sequences = flatten(full);
  const arrays = needed[loss.name].map((name) => {
    const values = request.data.map((datum, i) => aligned(datum, name, loss.name, `Datum ${i}`));
    return [name, flattenFloats(values, sequences.tokens.length)] as const;
  });
  checkUnknown(request.data, loss.name);
  return { loss, sequences, arrays: Object.fromEntries(arrays) };
}

/**
 * Input and targets are one sequence, shifted: this model scores no other targets. A target that counts nothing may be
 * anything (tinker-cookbook writes 0 over a prompt); its logprob is that of the token which does follow.
 * @param counted the input whose zeros say that a target counts nothing
 */
function sequenceOf(
  { tokens, inputs }: WireDatum,
  which: string,
  { config, vocabulary }: BaseModel,
  counted = '',
): number[] {
  const targets = inputs['target_tokens'];
  if (targets === undefined) throw new RequestFault(`${which} has no target_tokens.`);
  if (tokens.length === 0) throw new RequestFault(`${which} is empty.`);
  if (targets.length !== tokens.length) {
    throw new RequestFault(`${which} has ${targets.length} target_tokens for ${tokens.length} tokens.`);
  }
  const off = targets.findIndex(
    (target, i) => i + 1 < tokens.length && target !== tokens[i + 1] && inputs[counted]?.[i] !== 0,
  );
  if (off !== -1) {
    throw new RequestFault(
      `${which}: target ${off} is ${targets[off] ?? ''} where the input continues with ${tokens[off + 1] ?? ''}. Targets are ` +
        'the input shifted by one token.',
    );
  }
  const sequence = [...tokens, ...targets.slice(-1)];
  if (sequence.length > config.context) {
    throw new RequestFault(`${which}: sequence length ${sequence.length} exceeds max ${config.context}.`);
  }
  const foreign = sequence.find((id) => !Number.isInteger(id) || id < 0 || id >= vocabulary.words.length);
  if (foreign !== undefined) {
    throw new RequestFault(`${which}: token ${foreign} is not one of the model's ${vocabulary.words.length}.`);
  }
  return sequence;
}

/** Aligned with targets on the wire; with tokens here, the first of which has no value. */
function aligned({ tokens, inputs }: WireDatum, name: string, loss: string, which: string): number[] {
  const values = inputs[name];
  if (values === undefined) throw new RequestFault(`${which} has no ${name}, which ${loss} needs.`);
  if (values.length !== tokens.length) {
    throw new RequestFault(`${which} has ${values.length} ${name} for ${tokens.length} targets.`);
  }
  if (!values.every(Number.isFinite)) throw new RequestFault(`${which}: ${name} holds what is no finite number.`);
  return [0, ...values];
}

function checkUnknown(data: readonly WireDatum[], loss: Loss['name']): void {
  const known: readonly string[] = ['target_tokens', ...needed[loss]];
  for (const [i, { inputs }] of data.entries()) {
    const unknown = Object.keys(inputs).find((name) => !known.includes(name));
    if (unknown !== undefined) throw new RequestFault(`Datum ${i}: ${loss} takes no '${unknown}'.`);
  }
}

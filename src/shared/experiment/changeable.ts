/**
 * The settings that a person may change during a run, and when they take effect. Everything else identifies the run:
 * another value makes another run (branch, or rerun with changes).
 */
import * as l10n from '@vscode/l10n';
import { at, nested, overlay, type JsonObject } from './resolve.ts';
import { whyRetired } from './retired.ts';
import { experimentSchema, type Experiment } from './schema.ts';

/**
 * When a change takes effect. `scoring`: before the next scoring of families or, where the epoch is past it, with the
 * next epoch; scoring and both updates then see the same settings. `epoch`: with the next epoch, because a batch in
 * progress must not change its shape.
 */
export type TakesHold = 'scoring' | 'epoch';

const fields: Readonly<Record<TakesHold, Readonly<Record<string, readonly string[]>>>> = {
  scoring: {
    curriculum: ['alpha', 'beta', 'lambda', 'kMin', 'filter'],
    agent: [
      'learningRate',
      'clipLow',
      'clipHigh',
      'advantageNorm',
      'normalisation',
      'minibatch',
      'minibatchUnit',
      'passes',
      'klCoefficient',
    ],
    environment: [
      'learningRate',
      'steps',
      'minibatch',
      'tokenWeights',
      'bufferEpochs',
      'baseShare',
      'anchors',
      'klCoefficient',
      'updateKlCap',
      'totalKlCap',
      'minFamilies',
      'keepBest',
      'clipLow',
      'clipHigh',
      'advantageNorm',
      'invalidReward',
    ],
  },
  epoch: {
    agent: ['stream'],
    generation: ['families', 'variations', 'perSeed', 'temperature', 'attempts', 'condition'],
    rollouts: ['group', 'minGroup', 'baseShare', 'poolShare', 'batch', 'order', 'cutOff', 'spare', 'temperature'],
    validation: ['every'],
    budget: ['tokens', 'rollouts', 'seconds', 'cost', 'hours'],
    crossPlay: ['every', 'rollouts'],
  },
};

const byField: ReadonlyMap<string, TakesHold> = new Map(
  (['scoring', 'epoch'] as const).flatMap((when) =>
    Object.entries(fields[when]).flatMap(([section, names]) =>
      names.map((name): [string, TakesHold] => [`${section}.${name}`, when]),
    ),
  ),
);

/** Every field that may change while a run goes. */
export const changeable: readonly string[] = [...byField.keys()];

/** When a change of this field takes effect; null for a field that cannot change. */
export const takesHold = (field: string): TakesHold | null => byField.get(field) ?? null;

/**
 * Epochs that begin before a change of this field takes effect: those that are sampled ahead are written and attempted by
 * the settings of the start of their sampling.
 */
export function epochsAhead(
  { rollouts }: { rollouts: Pick<Experiment['rollouts'], 'staleness'> },
  field: string,
): number {
  return /^(?:generation|rollouts)\./.test(field) ? rollouts.staleness : 0;
}

/** Why a changeable field cannot change in this run; null where it can. */
export function whyFixed({ curriculum }: Experiment, field: string): string | null {
  if (field !== 'curriculum.alpha') return null;
  if (curriculum.control.kind !== 'off')
    return l10n.t('α is chosen by its controller (curriculum.control), which is part of what the run is.');
  return curriculum.alphaPoints === null
    ? null
    : l10n.t('α follows its course (curriculum.alphaPoints), which is part of what the run is.');
}

/** A changeable field and its new value. */
export interface FieldChange {
  field: string;
  to: unknown;
}

/** An experiment with changes on top, later ones over earlier ones; null when a value does not fit its field. */
export function withChanges(experiment: Experiment, changes: readonly FieldChange[]): Experiment | null {
  const kept = changes.filter(({ field }) => whyRetired(field) === null);
  if (kept.length === 0) return experiment;
  const changed = kept.reduce<JsonObject>((under, { field, to }) => overlay(under, nested(field.split('.'), to)), {
    ...experiment,
  });
  return experimentSchema.safeParse(changed).data ?? null;
}

/** The value of a dotted field. */
export const valueAt = (experiment: Experiment, field: string): unknown => at(experiment, field.split('.'));

/** Changeable fields in which two experiments differ, with the value of the second. */
export function changesBetween(from: Experiment, to: Experiment): FieldChange[] {
  return changeable
    .filter((field) => JSON.stringify(valueAt(from, field)) !== JSON.stringify(valueAt(to, field)))
    .map((field) => ({ field, to: valueAt(to, field) }));
}

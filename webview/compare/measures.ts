/** The compared measures: one chart each. */
import type { ComparedEpoch, ComparedRun, ComparedValidation } from '../../src/features/compare/contract.ts';
import { duration } from '../../src/shared/text/figures/durations.ts';
import { approximate, compact, count, measure, nats, rate } from '../../src/shared/text/figures/numbers.ts';
import { percent } from '../../src/shared/text/figures/shares.ts';
import * as l10n from '@vscode/l10n';
import type { Axis } from './navigation.ts';

export interface Point {
  epoch: number;
  /** Its place on the chosen axis. */
  x: number;
  value: number;
  low: number | null;
  high: number | null;
}

export interface Measure {
  id: string;
  title: string;
  unit: string;
  format: (value: number) => string;
  /** On the axis, where ticks should be written alike; `format` when absent. */
  tick?: (value: number) => string;
  /** The points of one run, oldest first. */
  points: (run: ComparedRun, axis: Axis) => Point[];
  /** Why nothing is drawn. */
  missing: string;
  /** Known of whole runs alone: it says nothing of one of several domains. */
  whole?: true;
  /** Left out where no compared run has it: many trainers do not tell it. */
  optional?: true;
}

type Measured = Pick<Point, 'value'> & Partial<Pick<Point, 'low' | 'high'>>;

const xOf = (axis: Axis, { epoch, spent }: Pick<ComparedEpoch, 'epoch' | 'spent'>): number | null =>
  axis === 'epoch' ? epoch : spent[axis];

function overEpochs(read: (row: ComparedEpoch) => Measured | null): Measure['points'] {
  return ({ epochs }, axis) => pointsOf(epochs, axis, read);
}

function pointsOf<Row extends ComparedEpoch | ComparedValidation>(
  rows: readonly Row[],
  axis: Axis,
  read: (row: Row) => Measured | null,
): Point[] {
  return rows.flatMap((row) => {
    const measured = read(row);
    const x = xOf(axis, row);
    if (measured === null || x === null) return [];
    const { value, low = null, high = null } = measured;
    return [{ epoch: row.epoch, x, value, low, high }];
  });
}

const number = (value: number | null): Measured | null => (value === null ? null : { value });

function rated({ p, low, high }: { p: number | null; low: number; high: number }): Measured | null {
  return p === null ? null : { value: p, low, high };
}

/** In the order they are shown. */
export function measures(): Measure[] {
  const notYet = l10n.t('No epoch is finished yet.');
  const perToken = l10n.t('nats per token');
  const norm = l10n.t('L2 norm before clipping, last step');
  return [
    {
      id: 'success',
      title: l10n.t('Success rate on generated tasks, p̂'),
      unit: 'p̂',
      format: rate,
      points: overEpochs(({ successRate }) => (successRate === null ? null : rated(successRate))),
      missing: notYet,
    },
    {
      id: 'validation',
      title: l10n.t('Success on held-out tasks'),
      unit: l10n.t('share solved'),
      format: rate,
      points: ({ validations }, axis) => pointsOf(validations, axis, ({ successRate }) => rated(successRate)),
      missing: l10n.t('None of these runs was validated.'),
    },
    {
      id: 'reward',
      title: l10n.t('Environment reward R_env'),
      unit: l10n.t('mean over families'),
      format: rate,
      points: overEpochs(({ environmentReward }) => number(environmentReward)),
      missing: notYet,
    },
    {
      id: 'band',
      title: l10n.t('Families in the band'),
      unit: l10n.t('share'),
      format: percent,
      points: overEpochs(({ inBand }) => number(inBand)),
      missing: notYet,
    },
    {
      id: 'answer-length',
      whole: true,
      title: l10n.t('Length of answers'),
      unit: l10n.t('tokens, mean'),
      format: measure,
      points: overEpochs(({ answerLength }) => number(answerLength)),
      missing: notYet,
    },
    {
      id: 'task-length',
      whole: true,
      title: l10n.t('Length of written tasks'),
      unit: l10n.t('tokens, mean'),
      format: measure,
      points: overEpochs(({ taskLength }) => number(taskLength)),
      missing: l10n.t('None of these runs has tasks written.'),
    },
    {
      id: 'kl-agent',
      whole: true,
      title: l10n.t('KL of the agent to its start'),
      unit: perToken,
      format: nats,
      points: overEpochs(({ klAgent }) => number(klAgent)),
      missing: l10n.t('The agent’s KL was not measured in these runs.'),
    },
    {
      id: 'kl-environment',
      whole: true,
      title: l10n.t('KL of the environment to its start'),
      unit: perToken,
      format: nats,
      points: overEpochs(({ klEnvironment }) => number(klEnvironment)),
      missing: l10n.t('The environment was not trained in these runs.'),
    },
    {
      id: 'entropy-agent',
      whole: true,
      optional: true,
      title: l10n.t('Entropy of the agent'),
      unit: perToken,
      format: nats,
      points: overEpochs(({ entropyAgent }) => number(entropyAgent)),
      missing: l10n.t('No entropy has been measured yet.'),
    },
    {
      id: 'entropy-environment',
      whole: true,
      optional: true,
      title: l10n.t('Entropy of the environment'),
      unit: perToken,
      format: nats,
      points: overEpochs(({ entropyEnvironment }) => number(entropyEnvironment)),
      missing: l10n.t('No entropy has been measured yet.'),
    },
    {
      id: 'gradients-agent',
      whole: true,
      optional: true,
      title: l10n.t('Gradient norm of the agent'),
      unit: norm,
      format: measure,
      points: overEpochs(({ gradNormAgent }) => number(gradNormAgent)),
      missing: l10n.t('No gradient norm has been recorded yet.'),
    },
    {
      id: 'gradients-environment',
      whole: true,
      optional: true,
      title: l10n.t('Gradient norm of the environment'),
      unit: norm,
      format: measure,
      points: overEpochs(({ gradNormEnvironment }) => number(gradNormEnvironment)),
      missing: l10n.t('No gradient norm has been recorded yet.'),
    },
    {
      id: 'tokens',
      whole: true,
      title: l10n.t('Tokens spent'),
      unit: l10n.t('since the start'),
      format: approximate,
      tick: compact,
      points: overEpochs(({ spent }) => number(spent.tokens)),
      missing: notYet,
    },
    {
      id: 'seconds',
      whole: true,
      title: l10n.t('Time spent'),
      unit: l10n.t('since the start, pauses left out'),
      format: duration,
      points: overEpochs(({ spent }) => number(spent.seconds)),
      missing: notYet,
    },
  ];
}

/** An axis's name, and the form of its values. */
export function axisWords(axis: Axis): { name: string; format: (value: number) => string } {
  switch (axis) {
    case 'epoch':
      return { name: l10n.t('epoch'), format: String };
    case 'rollouts':
      return { name: l10n.t('rollouts'), format: count };
    case 'tokens':
      return { name: l10n.t('tokens'), format: compact };
    case 'seconds':
      return { name: l10n.t('time'), format: duration };
  }
}

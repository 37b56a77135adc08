/** A page's state as tests show it. */
import { runStates, type RunRow } from '../../../../src/features/runTable/contract.ts';
import { successRate } from '../../../../src/engine/math/successRate.ts';

export const row = (i: number, more: Partial<RunRow> = {}): RunRow => {
  const state = runStates[i % runStates.length] ?? 'finished';
  const gain = 0.04 + ((i * 7) % 11) / 100 - 0.05;
  return {
    ...{
      dir: `/runs/r${i}`,
      id: `2026112${i % 10}-1200-r${i}`,
      name: `α ${(0.3 + (i % 5) / 10).toFixed(1)} · seed ${i}`,
    },
    ...{
      experiment: 'storekeeper',
      state,
      mode: 'coevolve',
      epoch: state === 'finished' ? 40 : 12 + (i % 9),
      current: state === 'finished' ? 40 : 13 + (i % 9),
      epochs: 40,
    },
    startedAt: new Date(Date.UTC(2026, 10, 1, 0, i)).toISOString(),
    successRate: successRate(10 + ((i * 5) % 30), 48),
    inBand: ((i * 3) % 10) / 10,
    ...{
      band: { alpha: 0.5, kMin: 0.1 },
      seed: i % 8,
      differs: `α ${(0.3 + (i % 5) / 10).toFixed(1)} · seed ${i % 8}`,
    },
    ...{ tags: i % 6 === 0 ? ['good', 'paper'] : [], pinned: i === 3, note: i % 5 === 0 ? 'look at epoch 12' : '' },
    archived: i === 7,
    study: i % 4 === 0 ? { name: 'Curricula', arm: i % 8 === 0 ? 'genenv' : 'random', seed: i % 8 } : null,
    parent: i === 9 ? { dir: '/runs/r8', epoch: 12 } : i === 10 || i === 11 ? { dir: '/runs/r9', epoch: 20 } : null,
    written: state === 'running',
    figures: {
      ...{ rollouts: 5120 + i * 31, tokens: 739_000 + i * 1001, seconds: 600 + i, validation: 0.38 },
      gain: { difference: gain, low: gain - 0.03, high: gain + 0.03 },
      ...{ left: state === 'finished' ? null : 700 + i * 60, cost: null },
    },
    ...more,
  };
};

export const rows = (count: number): RunRow[] => Array.from({ length: count }, (_, i) => row(i));

/** A small experiment, and what two runs of one must have in common. */

/** Two epochs in about two seconds, with the shipped models. */
export const tiny = {
  name: 'tiny',
  preset: 'embedded',
  seed: 3,
  epochs: 2,
  domain: { baseTasks: 40 },
  generation: { families: 4, variations: 2 },
  rollouts: { group: 4 },
  environment: { bufferEpochs: 2, minFamilies: 1 },
  curriculum: { kMin: 0.3, filter: 'soft' },
  validation: { tasks: 40 },
};

/** A journal without when and how fast: what must be equal however a run was interrupted. */
export function timeless(journal: string): unknown[] {
  return journal
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line, (key, value: unknown) => (key === 'at' || key === 'seconds' ? 0 : value)));
}

/** Language of a reward function, by its file's name. */
export type RewardLanguage = 'typescript' | 'javascript' | 'python';

const endings: readonly (readonly [string, RewardLanguage])[] = [
  ['.reward.ts', 'typescript'],
  ['.reward.js', 'javascript'],
  ['.reward.py', 'python'],
];

/** Null where the name is not one of a reward file. */
export const rewardLanguage = (file: string): RewardLanguage | null =>
  endings.find(([ending]) => file.endsWith(ending))?.[1] ?? null;

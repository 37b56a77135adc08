/** Language of a program of a person's own, by its file's name. */
export type RewardLanguage = 'typescript' | 'javascript' | 'python';

const languages: readonly (readonly [string, RewardLanguage])[] = [
  ['.ts', 'typescript'],
  ['.js', 'javascript'],
  ['.py', 'python'],
];

/** Null for names of other files. @param kind the part before the ending */
export const languageOf = (file: string, kind: 'reward' | 'domain' | 'curriculum'): RewardLanguage | null =>
  languages.find(([ending]) => file.endsWith(`.${kind}${ending}`))?.[1] ?? null;

/** Null where the name is not one of a reward file. */
export const rewardLanguage = (file: string): RewardLanguage | null => languageOf(file, 'reward');

import { languageOf, type RewardLanguage } from '../rewards/rewardFile.ts';

/** Null where the name is not one of a curriculum file. */
export const curriculumLanguage = (file: string): RewardLanguage | null => languageOf(file, 'curriculum');

/** The function that a curriculum file exports. */
export const rewardsFunction = 'rewards';

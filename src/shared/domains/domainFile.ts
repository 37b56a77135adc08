import { languageOf, type RewardLanguage } from '../rewards/rewardFile.ts';

/** Null where the name is not one of a domain file. */
export const domainLanguage = (file: string): RewardLanguage | null => languageOf(file, 'domain');

/** `quiz` of `path/quiz.domain.ts`. */
export const domainName = (file: string): string => (file.split(/[\\/]/).at(-1) ?? file).replace(/\.domain\.\w+$/, '');

/** The rule's name of tasks that a domain file judges itself. */
export const judgedByDomain = 'domain';

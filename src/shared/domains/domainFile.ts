import { languageOf, type RewardLanguage } from '../rewards/rewardFile.ts';

/** Null where the name is not one of a domain file. */
export const domainLanguage = (file: string): RewardLanguage | null => languageOf(file, 'domain');

/** `quiz` of `path/quiz.domain.ts`, and of `quiz.adapter.json`. */
export const domainName = (file: string): string =>
  (file.split(/[\\/]/).at(-1) ?? file).replace(/\.(?:domain\.\w+|adapter\.json)$/, '');

/** Whether the file that a domain names is an adapter, whose recipe is followed right here. */
export const isAdapterDomain = ({ name, file }: { name: string; file: string | null }): boolean =>
  name === 'file' && file?.endsWith('.adapter.json') === true;

/** The rule's name of tasks that a domain file judges itself. */
export const judgedByDomain = 'domain';

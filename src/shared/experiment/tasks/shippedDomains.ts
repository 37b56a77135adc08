/** The domains that ship with GenEnv, and their parts. */
import * as z from 'zod';
import { isAdapterDomain } from '../../domains/domainFile.ts';
import type { Experiment } from '../schema.ts';

type Domain = Experiment['domain'];
type DomainName = Domain['name'];

/** Files of the domains that ship as domain files, the domain itself first, in `domains/` of the built files. */
export const shippedFiles = {
  stories: [
    'stories.domain.ts',
    'stories.calculation.ts',
    'stories.numbers.ts',
    'stories.seeds.ts',
    'stories.base.ts',
    'stories.heldOut.ts',
  ],
  reasoning: ['reasoning.domain.py'],
  storekeeper: ['storekeeper.domain.ts'],
  bfcl: ['bfcl.domain.ts', 'asking.ts'],
  'api-bank': ['apiBank.domain.ts', 'asking.ts'],
  bamboogle: ['bamboogle.domain.ts', 'asking.ts'],
  alfworld: ['alfworld.domain.ts', 'asking.ts'],
  travelplanner: ['travelPlanner.domain.ts', 'asking.ts'],
} as const satisfies Partial<Record<DomainName, readonly [string, ...string[]]>>;

/** The recipes that a domain file may name: domains whose functions are called right here. */
export const recipeNames = [
  'bfcl',
  'api-bank',
  'bamboogle',
  'alfworld',
  'travelplanner',
  'storekeeper',
  'stories',
] as const satisfies readonly DomainName[];
export const recipeNameSchema = z.enum(recipeNames);
export type RecipeName = z.infer<typeof recipeNameSchema>;

/** Whether a domain ships with tasks, so that no file needs to be named. */
export const hasOwnTasks = ({ name }: Pick<Domain, 'name'>): boolean =>
  name === 'storekeeper' || name === 'stories' || name === 'reasoning';

/** Whether it may draw its tasks by `taskSeed`: a person's file may name the storekeeper as its recipe. */
export const drawsTasks = ({ name }: Pick<Domain, 'name'>): boolean => name === 'storekeeper' || name === 'file';

/** The file that gives its tasks, as a person named it or as it ships; null where it has none. */
export const programName = ({ name, file }: Pick<Domain, 'name' | 'file'>): string | null =>
  name === 'reasoning' ? shippedFiles.reasoning[0] : name === 'file' ? file : null;

/** Whether its functions are a person's own, with behaviour that GenEnv cannot know. */
export const isOwnDomain = (domain: Pick<Domain, 'name' | 'file'>): boolean =>
  domain.name === 'file' && !isAdapterDomain(domain);

/** Whether its functions are called in processes of their own: a person's file, or one of ours that needs Python. */
export const isProgram = (domain: Pick<Domain, 'name' | 'file'>): boolean =>
  isOwnDomain(domain) || domain.name === 'reasoning';

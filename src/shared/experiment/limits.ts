/** The known capacity of an endpoint or a domain before it is opened. */
import type { Experiment } from './schema.ts';

export interface Limits {
  /** Prompt plus completion, in tokens; null where only the endpoint knows. */
  context: (endpoint: Experiment['endpoints']['agent']) => number | null;
  /** Number of human-authored tasks that ship with a domain. */
  tasks: (domain: Experiment['domain']['name']) => { base: number; validation: number };
}

const contexts: Record<Experiment['endpoints']['agent']['kind'], number | null> = {
  embedded: 256,
  tinker: null,
  openai: null,
  verl: null,
};
/** Their tasks come from files, which may hold any number. */
const ofFiles = { base: Infinity, validation: Infinity };
const tasks: Record<Experiment['domain']['name'], { base: number; validation: number }> = {
  storekeeper: { base: 544, validation: 400 },
  stories: { base: 544, validation: 400 },
  reasoning: ofFiles,
  bfcl: ofFiles,
  'api-bank': ofFiles,
  bamboogle: ofFiles,
  alfworld: ofFiles,
  travelplanner: ofFiles,
  file: ofFiles,
};

export const limits: Limits = { context: ({ kind }) => contexts[kind], tasks: (name) => tasks[name] };

import type { Field, FieldsOf } from '../field.ts';

const weights = (role: string): Field => ({
  label: 'Weights',
  meaning: `What the ${role} starts from: the shipped warm start “agent” or “environment”, or a weights file.`,
  paper: 'Qwen2.5-7B-Instruct',
  file: { kind: 'Weights', endings: ['bin'] },
});

const kind: Field = {
  label: 'Endpoint',
  meaning: 'Where the policy lives.',
  paper: null,
  choices: { embedded: 'A small language model inside this extension, with real gradients.' },
};

/** Which tasks and which models a run starts from. */
export const inputFields: FieldsOf<'domain' | 'endpoints'> = {
  'domain.name': {
    label: 'Domain',
    meaning: 'The kind of task: how it is written, verified, posed and scored.',
    paper: null,
    choices: { storekeeper: 'Requests to a small shop, answered by tool calls that are executed and checked.' },
  },
  'domain.seeds': {
    label: 'Base tasks from a file',
    meaning: 'JSONL of the base tasks that the environment varies.',
    paper: null,
    none: 'the domain’s own',
    file: { kind: 'Tasks', endings: ['jsonl'] },
  },
  'domain.baseTasks': {
    label: 'Base tasks',
    meaning: 'How many base tasks are used as seeds and as base data.',
    unit: 'tasks',
    paper: '544',
    step: 1,
  },
  'endpoints.agent.kind': kind,
  'endpoints.agent.weights': weights('agent'),
  'endpoints.environment.kind': kind,
  'endpoints.environment.weights': weights('environment'),
};

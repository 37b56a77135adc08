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
  choices: {
    embedded: 'A small language model inside this extension, with real gradients.',
    tinker: 'A server of the Tinker protocol: the hosted service, SkyRL, or “genenv serve”.',
    openai: 'A server of the OpenAI form, which only samples: vLLM, SGLang, llama.cpp, Ollama, a hosted one.',
    verl: 'A cluster that trains by whole jobs of verl, on Ray, over SSH or here, beside a vLLM server that samples.',
  },
};

const url: Field = {
  label: 'Address',
  meaning:
    'Base address of the server; of the OpenAI form, several are separated by blanks; for verl: a Ray dashboard, ' +
    'ssh://user@host, or local: for this machine.',
  paper: null,
};

const key: Field = {
  label: 'Key',
  meaning: 'Where the key is found: ${env:NAME} or ${secret:NAME}; a key itself is never written into a file.',
  paper: null,
  none: 'no key',
};

const model: Field = {
  label: 'Model',
  meaning: 'The model that is asked or trained, as the server names it.',
  paper: 'Qwen2.5-7B-Instruct',
};

const rank: Field = {
  label: 'LoRA rank',
  meaning: 'Rank of the adapter that is trained; 0 is full fine-tuning, where the server can.',
  paper: null,
  step: 1,
};

const workdir: Field = {
  label: 'Folder of the cluster',
  meaning: 'Where jobs read their rows and leave what they made, as the cluster sees it.',
  paper: null,
};

const mount: Field = {
  label: 'The same folder here',
  meaning: 'Where this machine sees the cluster’s folder.',
  paper: null,
  none: 'the same path, or over SSH',
};

const nodes: Field = {
  label: 'Nodes',
  meaning: 'How many machines of the cluster a job takes.',
  paper: null,
  step: 1,
};

const gpus: Field = {
  label: 'GPUs of a node',
  meaning: 'How many GPUs of each of these machines a job takes.',
  unit: 'GPUs',
  paper: null,
  step: 1,
};

const overrides: Field = {
  label: 'More settings of verl',
  meaning: 'Hydra overrides with blanks between them, which win over what the experiment says.',
  paper: null,
};

const sampler: Field = {
  label: 'Address of the sampler',
  meaning: 'Base address of the vLLM server that samples what the jobs trained; it must let adapters be loaded.',
  paper: null,
};

const samplerKey: Field = {
  label: 'Key of the sampler',
  meaning:
    'Where the sampler’s key is found: ${env:NAME} or ${secret:NAME}; a key itself is never written into a file.',
  paper: null,
  none: 'no key',
};

const tokenizer: Field = {
  label: 'Tokenizer',
  meaning: 'Folder with tokenizer.json and chat_template.jinja, an address of them, or a name on the hub.',
  paper: null,
  none: 'the server’s own',
};

const inFlight: Field = {
  label: 'In flight',
  meaning: 'How many requests may be under way at once.',
  unit: 'requests',
  paper: null,
  none: 'found while running',
  step: 1,
};

const price = (label: string, of: string): Field => ({
  label,
  meaning: `What ${of} costs, in a currency of your choice, the same for all prices.`,
  paper: null,
  step: 'ratio',
  none: 'not given',
});

const pricePerHour = price('Price of an hour', 'an hour of the server, with all its GPUs,');
const pricePrompt = price('Price of prompts', 'a million tokens of prompts');
const priceSampled = price('Price of answers', 'a million sampled tokens');
const priceTrained = price('Price of training', 'a million tokens that are trained on, prompts included,');

/** Which tasks and which models a run starts from. */
export const inputFields: FieldsOf<'domain' | 'endpoints'> = {
  'domain.name': {
    label: 'Domain',
    meaning: 'The kind of task: how it is written, verified, posed and scored.',
    paper: null,
    choices: {
      storekeeper: 'Requests to a small shop, answered by tool calls that are executed and checked.',
      stories: 'Arithmetic stories in plain language, whose answers are calculated; for any language model.',
      reasoning: 'About a hundred kinds of puzzles, written and judged by the Python package reasoning_gym.',
      bfcl: 'BFCL: a question, functions, and the calls in Python that its checker accepts.',
      'api-bank': 'API-Bank: a dialogue whose next call is executed by the benchmark’s own tools.',
      bamboogle: 'Bamboogle: a question of two hops, on whose answer independent answers agree.',
      alfworld: 'ALFWorld: another task in a known room, proven solvable by a walkthrough that wins.',
      travelplanner: 'TravelPlanner: a query with a reference plan that keeps every constraint.',
      file: 'A domain of your own: a file that says how tasks are written, checked, posed and judged.',
    },
  },
  'domain.file': {
    label: 'Domain file',
    meaning:
      'A *.domain.ts, .js or .py of your own, with the limits of rewards (docs/domains.md), or an *.adapter.json with a ' +
      'recipe (docs/adapters.md).',
    paper: null,
    none: 'no file',
    file: { kind: 'Domains', endings: ['domain.ts', 'domain.js', 'domain.py', 'adapter.json'] },
  },
  'domain.seeds': {
    label: 'Base tasks from a file',
    meaning: 'JSONL of the base tasks that the environment varies.',
    paper: null,
    none: 'the domain’s own',
    file: { kind: 'Tasks', endings: ['jsonl'] },
  },
  'domain.heldOut': {
    label: 'Held-out tasks from a file',
    meaning:
      'JSONL of tasks that are only ever measured on: they are validated, and a written task that is nearly one of them is ' +
      'rejected. The storekeeper reads it beside domain.seeds alone.',
    paper: null,
    none: 'no held-out tasks',
    file: { kind: 'Tasks', endings: ['jsonl'] },
  },
  'domain.baseTasks': {
    label: 'Base tasks',
    meaning: 'How many base tasks are used as seeds and as base data.',
    unit: 'tasks',
    paper: '544',
    step: 1,
  },
  'domain.taskSeed': {
    label: 'Task seed',
    meaning:
      'Which base and held-out tasks the storekeeper draws. The shipped agent was warmed up on the base tasks of seed 0; ' +
      'no seed measures on those. Give each seed of a study its own (bySeed), so that its intervals cover tasks too.',
    paper: null,
    step: 1,
  },
  'endpoints.agent.kind': kind,
  'endpoints.agent.weights': weights('agent'),
  'endpoints.agent.url': url,
  'endpoints.agent.key': key,
  'endpoints.agent.model': model,
  'endpoints.agent.rank': rank,
  'endpoints.agent.workdir': workdir,
  'endpoints.agent.mount': mount,
  'endpoints.agent.nodes': nodes,
  'endpoints.agent.gpus': gpus,
  'endpoints.agent.overrides': overrides,
  'endpoints.agent.sampler': sampler,
  'endpoints.agent.samplerKey': samplerKey,
  'endpoints.agent.tokenizer': tokenizer,
  'endpoints.agent.inFlight': inFlight,
  'endpoints.agent.pricePerHour': pricePerHour,
  'endpoints.agent.pricePrompt': pricePrompt,
  'endpoints.agent.priceSampled': priceSampled,
  'endpoints.agent.priceTrained': priceTrained,
  'endpoints.environment.kind': kind,
  'endpoints.environment.weights': weights('environment'),
  'endpoints.environment.url': url,
  'endpoints.environment.key': key,
  'endpoints.environment.model': model,
  'endpoints.environment.rank': rank,
  'endpoints.environment.workdir': workdir,
  'endpoints.environment.mount': mount,
  'endpoints.environment.nodes': nodes,
  'endpoints.environment.gpus': gpus,
  'endpoints.environment.overrides': overrides,
  'endpoints.environment.sampler': sampler,
  'endpoints.environment.samplerKey': samplerKey,
  'endpoints.environment.tokenizer': tokenizer,
  'endpoints.environment.inFlight': inFlight,
  'endpoints.environment.pricePerHour': pricePerHour,
  'endpoints.environment.pricePrompt': pricePrompt,
  'endpoints.environment.priceSampled': priceSampled,
  'endpoints.environment.priceTrained': priceTrained,
};

/** The commands that bring servers up and say where requests and keys may go, as data. */
import { json, type CommandSpec } from '../commandParts.ts';

export const accessCommands = {
  setup: {
    summary: 'Write scripts that start servers on a machine with GPUs, and an experiment for them',
    argument: { name: 'DIR', help: 'Folder that is written (default: gpu-box here).', optional: true },
    options: {
      servers: { value: 'KIND', help: 'skyrl, skyrl-megatron, frozen, verl or tinker (default: by the GPUs).' },
      gpus: { value: 'N', help: 'How many there are (default: nvidia-smi is asked).' },
      memory: { value: 'GB', help: 'Of each.' },
      model: { value: 'NAME', help: 'On the Hugging Face hub, or a folder on the machine.' },
      parameters: { value: 'BILLIONS', help: 'Where the name of the model does not say it.' },
      host: { value: 'USER@NAME', help: 'How ssh reaches the machine; without it GenEnv runs there.' },
      slurm: { help: 'Start the servers as a job of Slurm.' },
      name: { value: 'NAME', help: 'Of the experiment.' },
      json,
    },
    examples: [
      'genenv setup --host me@gpu-box',
      'genenv setup box --gpus 8 --memory 80 --model Qwen/Qwen2.5-7B-Instruct',
      'genenv setup box --gpus 1 --memory 24 --model Qwen/Qwen3-1.7B',
      'genenv setup hosted --servers tinker --model Qwen/Qwen3-8B',
    ],
    notes: [
      'Writes files and runs none of them: README.md there says what to run, in which order, and why.',
      'skyrl: two servers, each on half of the GPUs. skyrl-megatron: one server, both policies as adapters.',
      'frozen: SkyRL trains the agent, an untrained vLLM writes the tasks. verl: jobs on Ray and a vLLM.',
    ],
  },
  allow: {
    summary: 'Allow requests to an address, with a key; list what is allowed',
    argument: {
      name: '[NAME@]URL',
      help: 'An address, and the environment variable whose key may be sent there. Without it: the list.',
      optional: true,
    },
    options: { remove: { help: 'No longer allow it.' }, json },
    examples: [
      'genenv allow OPENAI_API_KEY@https://api.openai.com',
      'genenv allow ssh://me@gpu-box',
      'genenv allow --remove OPENAI_API_KEY@https://api.openai.com',
    ],
    notes: [
      'An experiment file can name any key and any address, so a file alone sends nothing: you allow each pair once.',
      'This machine (localhost) needs no permission, unless a key is sent. Path and query of URL do not count.',
      'Write secret:NAME@URL for a key that the experiment names as ${secret:NAME}.',
    ],
  },
} as const satisfies Record<string, CommandSpec>;

/** The command that talks to checkpoints: for the command line's table. */
import { json, root, run, type CommandSpec } from '../../../cli/commandParts.ts';
import { allow } from '../../../cli/consent/allowOption.ts';

export const talkCommands = {
  talk: {
    summary: 'Talk to one or two versions of a run’s policies, with a task’s tools live',
    argument: run,
    options: {
      by: { value: 'VERSION', many: true, help: 'Who answers: agent@3, environment@1, …; twice at most.' },
      task: { value: 'ID', help: 'Begins with this task’s prompt; its tools answer.' },
      temperature: { value: 'T', help: 'From 0 (greedy) to 5 (default: rollouts.temperature of the run).' },
      'max-tokens': { value: 'N', help: 'Most tokens of an answer (default: rollouts.maxTokens of the run).' },
      seed: { value: 'S', help: 'Of the sampling (default: 0): the same for both.' },
      judge: { help: 'At the end the task’s own judge says its verdict on the conversation.' },
      file: { value: 'FILE', help: 'A *.talk.json file to continue, with the options given now, and to keep it in.' },
      allow,
      root,
      json,
    },
    examples: [
      'genenv talk 20261121 --by agent@12 --by agent@0 --task e3.f2.v1',
      'genenv talk 20261121 --file first.talk.json',
    ],
    notes: ['A line with a single “.”, or the end of the input, sends your message. Neither run nor policy changes.'],
  },
} as const satisfies Record<string, CommandSpec>;

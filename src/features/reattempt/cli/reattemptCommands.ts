/** The commands that attempt tasks of a run again: for the command line's table. */
import { json, root, run, type CommandSpec } from '../../../cli/commandParts.ts';
import { allow } from '../../../cli/consent/allowOption.ts';

export const reattemptCommands = {
  reattempt: {
    summary: 'Attempt one task with the run’s newest agent, as recorded and as edited',
    argument: run,
    options: {
      task: { value: 'ID', help: 'The task, as “genenv show” names it.' },
      edit: { value: 'FILE', help: 'Fields to try it with: JSON with any of prompt, tools, evaluation, gold.' },
      attempts: { value: 'N', help: 'Attempts a side (default: rollouts.group of the run).' },
      allow,
      root,
      json,
    },
    examples: ['genenv reattempt 20261121 --task e3.f2.v1 --edit fixed.json --attempts 16'],
    notes: ['A live run is not disturbed. Attempts are kept in its reattempts.jsonl; nothing is trained on them.'],
  },
  fork: {
    summary: 'Attempt a task again from a turn of one of its traces: which turn decided?',
    argument: run,
    options: {
      trace: { value: 'ID', help: 'The trace, as “genenv search” names it.' },
      turn: {
        value: 'K',
        many: true,
        help: 'The turn that is sampled anew, from 1; may be repeated. “all”: each of the agent’s.',
      },
      edit: { value: 'FILE', help: 'A text that stands in place of that turn; the agent continues after it.' },
      by: { value: 'VERSION', help: 'Who continues: agent@3, environment@1, … (default: the newest agent).' },
      n: { value: 'N', help: 'Attempts a turn (default: rollouts.group of the run).' },
      allow,
      root,
      json,
    },
    examples: [
      'genenv fork 20261121 --trace e3/e3.f2.v1/r0 --turn all --n 16',
      'genenv fork 20261121 --trace e3/e3.f2.v1/r0 --turn 2 --edit better.txt --by agent@0',
    ],
    notes: [
      'The kept turns are played to the tools again. A live run is not disturbed.',
      'Attempts are kept in its reattempts.jsonl; nothing is trained on them.',
    ],
  },
} as const satisfies Record<string, CommandSpec>;

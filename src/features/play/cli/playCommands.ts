/** The command for a person's own attempts: for the command line's table. */
import { json, root, run, type CommandSpec } from '../../../cli/commandParts.ts';
import { allow } from '../../../cli/consent/allowOption.ts';

export const playCommands = {
  play: {
    summary: 'Attempt a task of a run yourself: its tools answer you, its judge decides',
    argument: run,
    options: {
      task: { value: 'ID', help: 'The task, as “genenv show” names it.' },
      continue: { value: 'ID', help: 'An attempt of yours that you left; without --task.' },
      allow,
      root,
      json,
    },
    examples: ['genenv play 20261121 --task e3.f2.v1', 'genenv play 20261121 --continue mi3k2x0'],
    notes: [
      'Write what the agent would say, calls of tools included. A line with a single “.” sends the turn.',
      'Ctrl-C or the end of input leaves: what you wrote is kept, and the attempt can be continued.',
      'Kept in the run’s plays.jsonl as an attempt of a person; no pool takes it unless you say so (genenv pool).',
    ],
  },
} as const satisfies Record<string, CommandSpec>;

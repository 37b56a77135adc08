/** The command for attempts of people in the agent pool: for the command line's table. */
import { json, root, run, type CommandSpec } from '../../../cli/commandParts.ts';

export const poolCommands = {
  pool: {
    summary: 'Attempts of people in a run’s agent pool: list, add, remove',
    argument: run,
    options: {
      add: { value: 'TRACE', help: 'A person’s attempt, as “genenv search RUN by:person” names it.' },
      remove: { value: 'TRACE', help: 'One that was added.' },
      root,
      json,
    },
    examples: ['genenv pool 20261121', 'genenv pool 20261121 --add person.mi3k2x0/e3.f2.v1/r0'],
    notes: [
      'Only valid attempts: parsed, executed, and judged. Journaled; in effect from the next epoch that is not',
      'sampled yet. Its task may then be drawn into batches, and the agent attempts it afresh. The agent is not',
      'trained on the person’s words, and no success rate, pass@k or calibration counts them. Exports of the',
      'agent pool hold the attempt.',
    ],
  },
} as const satisfies Record<string, CommandSpec>;

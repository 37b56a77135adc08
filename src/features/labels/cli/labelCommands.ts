/** The command for people's labels on attempts: for the command line's table. */
import { json, root, run, type CommandSpec } from '../../../cli/commandParts.ts';

export const labelCommands = {
  label: {
    summary: 'Label attempts of a run, and see how far its judge agrees with people',
    argument: run,
    options: {
      trace: { value: 'ID', help: 'The attempt to label; without it the agreement is shown.' },
      pass: { help: 'It solves its task, in your eyes.' },
      fail: { help: 'It does not.' },
      label: { value: 'WORD', many: true, help: 'A label of your own, without spaces; may be repeated.' },
      clear: { help: 'Takes back what you said of it.' },
      root,
      json,
    },
    examples: [
      'genenv label 20261121 --trace e3/e3.f2.v1/r0 --fail --label wrong-gold',
      'genenv label 20261121',
      'genenv search 20261121 "label:fail verdict:solved"',
    ],
    notes: ['Kept in the run’s attemptLabels.jsonl under your user name; nothing is trained on it. See docs/data.md.'],
  },
} as const satisfies Record<string, CommandSpec>;

/** The command of studies, as data. */
import { json, root, type CommandSpec } from '../../../cli/commandParts.ts';
import { allow } from '../../../cli/consent/allowOption.ts';

export const studyCommands = {
  study: {
    summary: 'Run a study: arms × seeds at one budget, and what they show; “study show FILE” only shows',
    argument: { name: 'FILE', help: 'Study file (*.study.json); or the word “show”, and then the file.' },
    rest: { name: 'FILE', help: 'After “show”: the study file.' },
    options: {
      plan: { help: 'Only check the file and say what it will do.' },
      parallel: { value: 'N', help: 'So many runs at once (default: 1).' },
      price: { value: 'PRICE', help: 'Of a million tokens, to tell what the study costs.' },
      allow,
      root,
      json,
    },
    examples: [
      'genenv study curricula.study.json --plan',
      'genenv study curricula.study.json --parallel 2',
      'genenv study show curricula.study.json',
    ],
    notes: [
      'Its runs are ordinary runs, named by arm and seed. Ctrl-C pauses; the same command carries on,',
      'after a kill too.',
      'What became of each run is kept in the folder beside the file. See docs/studies.md.',
    ],
  },
} as const satisfies Record<string, CommandSpec>;

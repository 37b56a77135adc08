/** The commands about domains of a person's own, as data. */
import { json, type CommandSpec } from './commandParts.ts';
import { allow } from './consent/allowOption.ts';

export const domainCommands = {
  'check-domain': {
    summary: 'Try a domain file on its seed tasks: prompts, verification, gold answers',
    argument: {
      name: 'FILE',
      help: 'Domain file (*.domain.ts, .js, .py), or an adapter with a recipe (*.adapter.json).',
    },
    options: {
      texts: { value: 'FILE', help: 'Texts that an environment might write, one a line: parsed and verified.' },
      seeds: { value: 'FILE', help: 'Task file in place of the domain’s own seeds.' },
      allow,
      json,
    },
    examples: ['genenv check-domain quiz.domain.ts', 'genenv check-domain quiz.domain.py --texts written.txt --json'],
    notes: [
      'Runs the cases of NAME.domain.cases.jsonl (NAME.adapter.cases.jsonl) beside it, too, with totals by cause.',
      'Exits with 1 if a run would stumble or a case is wrong. Asks only an OpenEnv server that the file names.',
    ],
  },
  'copy-domain': {
    summary: 'Write a domain that ships as domain files of your own',
    argument: {
      name: 'NAME',
      help: 'stories, reasoning, storekeeper, bfcl, api-bank, bamboogle, alfworld, travelplanner.',
    },
    options: { out: { value: 'DIR', help: 'Folder that it is written into (default: here).' } },
    examples: ['genenv copy-domain stories --out domains'],
    notes: ['What is there already is left as it is. A copy of reasoning needs a Python that has reasoning_gym.'],
  },
  'install-reasoning': {
    summary: 'Install the Python package of the domain reasoning, once for all workspaces',
    argument: null,
    options: { version: { value: 'X', help: 'Another version: the one that an older run began with.' } },
    examples: ['genenv install-reasoning'],
    notes: ['Makes a virtual environment in ~/.cache/genenv/python. Needs Python 3.10 or newer and about 350 MB.'],
  },
} as const satisfies Record<string, CommandSpec>;

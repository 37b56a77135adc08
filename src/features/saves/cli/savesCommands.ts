/** The command about what a run saved on its servers: for the command line's table. */
import { json, root, run, type CommandSpec } from '../../../cli/commandParts.ts';
import { allow } from '../../../cli/consent/allowOption.ts';

export const savesCommands = {
  saves: {
    summary: 'What a run saved on its Tinker servers: list, delete',
    argument: run,
    options: {
      delete: {
        value: 'SAVE',
        many: true,
        help: 'Delete this one, by its address; may be repeated. “all”: all that may.',
      },
      yes: { help: 'Delete: without it, --delete only says what it would delete.' },
      allow,
      root,
      json,
    },
    examples: [
      'genenv saves 20261121',
      'genenv saves 20261121 --delete all',
      'genenv saves 20261121 --delete all --yes',
    ],
    notes: [
      'Only of a finished run. What a branch of the same folder of runs needs stays, and is named.',
      'A version without its save cannot be sampled, talked to, forked or branched from any more.',
      'The run’s sessions.jsonl keeps what was deleted.',
    ],
  },
} as const satisfies Record<string, CommandSpec>;

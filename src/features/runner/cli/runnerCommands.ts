/** The commands of a folder's runner and its queue, as data. */
import { json, root, type CommandSpec, type OptionSpec } from '../../../cli/commandParts.ts';
import { allow } from '../../../cli/consent/allowOption.ts';

const limits: Readonly<Record<string, OptionSpec>> = {
  limit: { value: 'URL=N', many: true, help: 'Runs at once that ask this address; “embedded” is this machine.' },
  'at-once': { value: 'N', help: 'Runs at once, whatever they ask (default: no limit).' },
  'until-empty': {
    help: 'End once nothing waits or runs; with 1 if runs wait for one that failed.',
  },
};

export const runnerCommands = {
  runner: {
    summary: 'Execute the queue of a folder of runs, one process a run; start, look at or stop who does',
    argument: {
      name: '[start|status|stop]',
      help: 'start: in the background, for good. Without a word: here, until Ctrl-C.',
      optional: true,
    },
    options: { ...limits, allow, root, json },
    examples: ['genenv runner start', 'genenv runner --limit http://gpu:8000=2', 'genenv runner status --json'],
    notes: [
      'One runner a folder. Killed or rebooted, it goes on where it was: finished rollouts are kept.',
      'By default one run at a time asks a server, and embedded models get half of the processor’s cores.',
      'Keys come from its environment alone; a run whose key it lacks waits and says so. See docs/runner.md.',
    ],
  },
  queue: {
    summary: 'See the queue of runs, add to it, and change its order',
    argument: {
      name: '[ACTION]',
      help: 'list, add FILE|RUN…, remove RUN…, priority RUN…, move RUN up|down|first|last, pause, resume.',
      optional: true,
    },
    rest: {
      name: '[…]',
      help: 'Experiments (*.genenv.json), studies (*.study.json), or ids of runs that are not finished.',
    },
    options: {
      set: {
        value: 'FIELD=VALUE',
        many: true,
        help: 'Of FILE: change a setting; may be repeated. Paths are relative to the current folder.',
      },
      priority: {
        value: 'N',
        help: 'Higher ones start first, −100 to 100 (default: 0); a negative one as --priority=-5.',
      },
      after: { value: 'RUN', many: true, help: 'Of what is added: only once this run has finished; may be repeated.' },
      retries: { value: 'N', help: 'Of what is added: tries after a crash or a failure (default: 2).' },
      root,
      json,
    },
    examples: [
      'genenv queue add mine.genenv.json --set seed=2 --priority 5',
      'genenv queue add 20261121 --after 20261120',
      'genenv queue priority 20261121 --priority 10',
      'genenv queue move 20261121 up',
    ],
    notes: [
      'An experiment becomes a run at once, with copies of all that it reads: edit its file as you like.',
      'A study runs as it was added, whatever becomes of its file and its base; the list tells of changes since.',
      'To run a changed study that waits, add it again. Files that its runs name must stay as they are.',
    ],
  },
} as const satisfies Record<string, CommandSpec>;

/** Commands that make files of tasks. */
import { json, root, type CommandSpec } from './commandParts.ts';
import { allow } from './consent/allowOption.ts';

export const taskCommands = {
  'make-tasks': {
    summary: 'Make a file for mode offline: tasks that a run accepted, or that a model writes now',
    argument: {
      name: 'RUN|FILE',
      help: 'A run, whose accepted tasks are taken; or an experiment, whose environment varies its seeds.',
    },
    options: {
      out: { value: 'FILE', help: 'The task file to write, for generation.offlineFile of an experiment.' },
      variations: { value: 'N', help: 'Of an experiment: of each seed task (default: generation.variations).' },
      url: { value: 'URL', help: 'Of an experiment: an OpenAI-compatible server writes, in its environment’s place.' },
      model: { value: 'NAME', help: 'Of the server: which model.' },
      key: { value: 'WHERE', help: 'Of the server: where its key is, as ${env:NAME}; never the key itself.' },
      attempts: { value: 'N', help: 'Of an experiment: its agent attempts each task N times, for --solved.' },
      epochs: { value: 'A-B', help: 'Of a run: only tasks written in these epochs.' },
      solved: { value: 'A..B', help: 'Only tasks whose success rate p̂ lies in this range, as 0.1..0.9.' },
      'held-out': { value: 'FILE', help: 'A further task file: nothing that is nearly one of its tasks is taken.' },
      'with-seeds': { help: 'Write the seed tasks into the file, too.' },
      set: { value: 'FIELD=VALUE', many: true, help: 'Of an experiment: change a setting; may be repeated.' },
      allow,
      root,
      json,
    },
    examples: [
      'genenv make-tasks 20261121 --solved 0.1..0.9 --out offline.jsonl',
      'genenv make-tasks mine.genenv.json --url https://host/v1 --model big --variations 3 --out 4x.jsonl',
      'genenv run mine.genenv.json --set mode=offline --set generation.offlineFile=4x.jsonl',
    ],
    notes: [
      'What is written is parsed, verified and compared with seeds and held-out tasks as in a run. Answers are',
      'kept in FILE.parts as they come: the same command again asks only for what is missing. Each task says',
      'where it comes from, and FILE.manifest.json what was left out and why. See docs/data.md.',
    ],
  },
} as const satisfies Record<string, CommandSpec>;

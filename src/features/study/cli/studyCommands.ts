/** The command of studies, as data. */
import { json, root, type CommandSpec } from '../../../cli/commandParts.ts';
import { allow } from '../../../cli/consent/allowOption.ts';

export const studyCommands = {
  study: {
    summary: 'Run a study: arms × seeds at one budget; “show FILE” tells its results, “report FILE” writes them',
    argument: {
      name: '[show|report]',
      help: 'show: its results. report: them as one HTML file. Without a word: run it.',
      optional: true,
    },
    rest: { name: 'FILE', help: 'Study file (*.study.json).' },
    options: {
      plan: { help: 'Only check the file and say what it will do.' },
      parallel: { value: 'N', help: 'So many runs at once (default: 1).' },
      price: { value: 'PRICE', help: 'Of a million tokens, to tell what the study costs.' },
      markdown: { help: 'With “show”: the results as a page of documentation.' },
      out: { value: 'FILE', help: 'With “report”: where to (default: report.html in the study’s folder).' },
      allow,
      root,
      json,
    },
    examples: [
      'genenv study curricula.study.json --plan',
      'genenv study curricula.study.json --parallel 2',
      'genenv study show curricula.study.json',
      'genenv study show curricula.study.json --markdown > docs/curricula-study.md',
      'genenv study report curricula.study.json --out curricula.html',
    ],
    notes: [
      'Its runs are ordinary runs, named by arm and seed. Ctrl-C pauses; the same command carries on,',
      'after a kill too.',
      'What became of each run is kept in the folder beside the file. See docs/studies.md.',
    ],
  },
} as const satisfies Record<string, CommandSpec>;

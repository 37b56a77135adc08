/**
 * The layers of docs/architecture.md. Arrows point down only; `import type` counts too, so that the engine can move to another
 * runtime untouched.
 */
import type { OxlintOverride } from 'oxlint';
import { oneGate, sharedFigures, shipped, type Restriction } from './syntax.ts';

const frames = ['features', 'cli', 'host'];
const zones: Record<string, string[]> = {
  engine: ['domains', 'sandbox', 'endpoints', 'rewards', 'benchmarks', 'runs', 'launch', 'serve', ...frames],
  endpoints: ['domains', 'rewards', 'benchmarks', 'runs', 'launch', 'serve', ...frames],
  rewards: ['domains', 'endpoints', 'benchmarks', 'runs', 'launch', 'serve', ...frames],
  domains: ['endpoints', 'runs', 'launch', 'serve', ...frames],
  benchmarks: ['domains', 'endpoints', 'rewards', 'runs', 'launch', 'serve', ...frames],
  runs: ['domains', 'endpoints', 'rewards', 'benchmarks', 'launch', 'serve', ...frames],
  launch: ['serve', ...frames],
  serve: ['rewards', 'benchmarks', 'runs', 'launch', ...frames],
  cli: ['host'],
  host: ['serve', 'cli'],
  sandbox: ['domains', 'engine', 'endpoints', 'rewards', 'benchmarks', 'runs', 'launch', 'serve', ...frames],
  // Folders of `shared` have the names of rooms they serve: test/unit/layout.test.ts resolves each import.
  shared: ['sandbox', 'engine', 'benchmarks', 'runs', 'launch', 'serve', ...frames],
  // The rooms of one feature; which feature may use which is checked by test/unit/layout.test.ts.
  'features/*/contract': [
    'domains',
    'sandbox',
    'endpoints',
    'rewards',
    'benchmarks',
    'runs',
    'launch',
    'serve',
    'core',
    'node',
    'cli',
    'host',
  ],
  'features/*/core': ['domains', 'endpoints', 'launch', 'serve', 'node', 'cli', 'host'],
  'features/*/node': ['serve', 'cli', 'host'],
  'features/*/cli': ['host'],
  'features/*/host': ['serve', 'cli'],
};
/** Layers whose texts people read; below them numbers are data, and sentences English. */
const forPeople = [
  'runs',
  'shared',
  'cli',
  'host',
  'features/*/core',
  'features/*/node',
  'features/*/cli',
  'features/*/host',
];
const pure = ['engine', 'shared', 'features/*/contract', 'features/*/core'];
export const node = {
  regex: '^(node:|(fs|path|os|worker_threads|vscode|openai)(/|$))',
  message: 'This layer is pure: no editor, no files, no network.',
};

export const noDate: Restriction = {
  selector: "NewExpression[callee.name='Date'][arguments.length=0]",
  message: 'Time comes from the Clock port.',
};

export const layers = Object.entries(zones).map(([layer, above]): OxlintOverride => ({
  files: [`src/${layer}/**/*.ts`, `src/${layer}.ts`],
  rules: {
    // Rules of one name do not add up: the last that fits a file holds whole.
    'genenv/restricted-syntax': [
      'error',
      ...shipped,
      ...(forPeople.includes(layer) ? sharedFigures : []),
      ...oneGate,
      ...(pure.includes(layer) ? [noDate] : []),
    ],
    'no-restricted-imports': [
      'error',
      {
        patterns: [
          {
            // A folder of `shared` may have the name of the layer that it serves.
            group: [...above.map((other) => `**/${other}/**`), '!**/shared/**'],
            message: `src/${layer} may not reach up (docs/architecture.md).`,
          },
          ...(pure.includes(layer) ? [node] : []),
        ],
      },
    ],
    ...(pure.includes(layer)
      ? {
          'no-restricted-properties': [
            'error',
            { object: 'Date', property: 'now', message: 'Time comes from the Clock port.' },
            { object: 'Math', property: 'random', message: 'Randomness comes from the Random port.' },
          ],
          'no-restricted-globals': ['error', 'process', 'Buffer', 'setTimeout', 'fetch', 'performance'],
        }
      : {}),
  },
}));

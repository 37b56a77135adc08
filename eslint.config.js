import tseslint from 'typescript-eslint';

// The layers of docs/architecture.md. Arrows point down only; `import type` counts too,
// so that the engine can move to another runtime untouched.
const zones = {
  engine: ['backends', 'rewards', 'benchmarks', 'runs', 'launch', 'serve', 'cli', 'host'],
  backends: ['rewards', 'benchmarks', 'runs', 'launch', 'serve', 'cli', 'host'],
  rewards: ['backends', 'benchmarks', 'runs', 'launch', 'serve', 'cli', 'host'],
  benchmarks: ['backends', 'rewards', 'runs', 'launch', 'serve', 'cli', 'host'],
  runs: ['backends', 'rewards', 'benchmarks', 'launch', 'serve', 'cli', 'host'],
  launch: ['serve', 'cli', 'host'],
  serve: ['rewards', 'benchmarks', 'runs', 'launch', 'cli', 'host'],
  cli: ['host'],
  host: ['serve', 'cli'],
  shared: ['engine', 'backends', 'rewards', 'benchmarks', 'runs', 'launch', 'serve', 'cli', 'host'],
};
const pure = ['engine', 'shared'];
const node = {
  group: ['node:*', 'fs', 'path', 'os', 'worker_threads', 'vscode', 'openai'],
  message: 'This layer is pure: no editor, no files, no network.',
};

const layers = Object.entries(zones).map(([layer, above]) => ({
  files: [`src/${layer}/**/*.ts`],
  rules: {
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

/** `import { z }` drags every locale of zod into each bundle: 440 kB instead of 90. */
const leanZod = {
  selector: "ImportDeclaration[source.value='zod'] ImportSpecifier",
  message: "Write import * as z from 'zod'.",
};

/** Why it did not run belongs in the summary. */
const reasonedSkip = {
  selector: "CallExpression[callee.property.name='skip'][callee.object.type='ThisExpression']",
  message: "Write skip(this, 'what this machine lacks'), of test/support/skip.ts.",
};
const patience = [
  {
    selector:
      "CallExpression[callee.object.name='assert'] AwaitExpression:not(CallExpression[callee.name='eventually'] AwaitExpression)",
    message: 'A page shows it a moment later: await eventually(async () => assert…), of test/support/until.ts.',
  },
  {
    selector: "CallExpression[callee.object.property.name='keyboard']",
    message: 'The focus may not be there yet: pressAt or typeAt of test/support/focus.ts.',
  },
];

export default tseslint.config(
  { ignores: ['dist', 'node_modules', '.vscode-test', '.stryker-tmp', 'src/backends/embedded/kernels'] },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { project: ['./tsconfig.json', './webview/tsconfig.json'] } },
    rules: {
      'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'never' }],
      '@typescript-eslint/consistent-type-imports': 'error',
      'no-empty': ['error', { allowEmptyCatch: false }],
      'no-restricted-syntax': ['error', leanZod],
    },
  },
  {
    files: ['test/**/*.ts'],
    rules: { '@typescript-eslint/no-unused-expressions': 'off', '@typescript-eslint/no-non-null-assertion': 'off' },
  },
  { files: ['test/**/*.ts'], rules: { 'no-restricted-syntax': ['error', leanZod, reasonedSkip] } },
  {
    files: ['test/{webview,ui}/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', leanZod, reasonedSkip, ...patience] },
  },
  ...layers,
);

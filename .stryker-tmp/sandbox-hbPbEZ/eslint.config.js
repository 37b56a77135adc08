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

export default tseslint.config(
  { ignores: ['dist', 'node_modules', '.vscode-test', 'src/backends/embedded/kernels'] },
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
  ...layers,
);

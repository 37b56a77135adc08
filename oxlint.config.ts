import { defineConfig } from 'oxlint';
import { layers, node, noDate } from './scripts/lint/layers.ts';
import { rules } from './scripts/lint/rules.ts';
import { leanZod, oneGate, patience, reasonedSkip, sharedFigures, shipped } from './scripts/lint/syntax.ts';

export default defineConfig({
  plugins: ['typescript'],
  jsPlugins: ['./scripts/lint/plugin.mjs'],
  categories: { correctness: 'off' },
  options: { typeAware: true },
  ignorePatterns: [
    '**/*.{js,mjs,cjs}',
    'dist',
    'node_modules',
    '.vscode-test',
    '.peers',
    '.stryker-tmp',
    'src/endpoints/embedded/kernels',
  ],
  rules: {
    ...rules,
    'genenv/restricted-syntax': ['error', ...shipped],
  },
  overrides: [
    // Lists of benchmarks and of the study are short; the words that lint refuses stand in scripts/lint.
    { files: ['scripts/**/*.ts'], rules: { 'genenv/restricted-syntax': ['error', leanZod] } },
    {
      files: ['test/**/*.ts'],
      rules: {
        'no-unused-expressions': 'off',
        'typescript/no-non-null-assertion': 'off',
        'genenv/restricted-syntax': ['error', leanZod, reasonedSkip],
      },
    },
    {
      files: ['test/{webview,ui}/**/*.ts'],
      rules: { 'genenv/restricted-syntax': ['error', leanZod, reasonedSkip, ...patience] },
    },
    {
      files: ['src/**/*.ts'],
      rules: {
        'genenv/restricted-syntax': ['error', ...shipped, ...oneGate],
      },
    },
    ...layers,
    {
      files: ['webview/**/*.ts'],
      rules: {
        'genenv/restricted-syntax': ['error', ...shipped, ...sharedFigures],
        'no-restricted-imports': [
          'error',
          {
            patterns: [
              {
                regex: '/src/(?!shared/|engine/|features/\\w+/contract)',
                message:
                  'A page knows contracts (src/shared, its feature) and the arithmetic of src/engine, nothing of the host.',
              },
              node,
            ],
          },
        ],
      },
    },
    {
      // The piece itself.
      files: ['src/shared/text/figures/*.ts'],
      rules: { 'genenv/restricted-syntax': ['error', ...shipped, ...oneGate, noDate] },
    },
    {
      // Figures that a person types back.
      files: ['webview/lib/components/numberField.ts'],
      rules: { 'genenv/restricted-syntax': ['error', ...shipped] },
    },
    {
      // The one that writes, and code that runs inside a reward's own process.
      files: ['src/cli/terminal.ts', 'src/rewards/processes/*/**/*.ts'],
      rules: { 'genenv/restricted-syntax': ['error', leanZod] },
    },
  ],
});

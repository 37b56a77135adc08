import tseslint from 'typescript-eslint';
import { plainComments } from './scripts/plainComments.mjs';

// The layers of docs/architecture.md. Arrows point down only; `import type` counts too,
// so that the engine can move to another runtime untouched.
const frames = ['features', 'cli', 'host'];
const zones = {
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
const pure = ['engine', 'shared', 'features/*/contract', 'features/*/core'];
const node = {
  group: ['node:*', 'fs', 'path', 'os', 'worker_threads', 'vscode', 'openai'],
  message: 'This layer is pure: no editor, no files, no network.',
};

/** `import { z }` drags every locale of zod into each bundle: 440 kB instead of 90. */
const leanZod = {
  selector: "ImportDeclaration[source.value='zod'] ImportSpecifier",
  message: "Write import * as z from 'zod'.",
};

/** An absent member is spread from `false`: half as many words. */
const shortSpread = {
  selector: 'SpreadElement > ConditionalExpression > ObjectExpression[properties.length=0]',
  message: 'Write ...(condition && { member }), or ...defined({ member }).',
};

/** Every argument takes room on the stack: some hundred thousand of them end the call with a RangeError. */
const boundedArguments = {
  selector:
    'CallExpression[callee.property.name=/^(push|unshift|splice|write|max|min|hypot|fromCharCode|fromCodePoint)$/]' +
    ":not([callee.object.name='subscriptions']):not([callee.object.property.name='subscriptions'])" +
    " > SpreadElement.arguments:not([argument.type='ArrayExpression'])",
  message:
    'Data may be longer than a call has arguments: append of shared/append.ts, largest and smallest of shared/extremes.ts.',
};

/** One gate, so that no text of a file, a model or a server steers a terminal. */
const oneGate = [
  ...[
    "MemberExpression[object.name='process'][property.name=/^(stdout|stderr)$/]",
    "MemberExpression[object.name='process'][property.value=/^(stdout|stderr)$/]",
    "VariableDeclarator[init.name='process'] > ObjectPattern > Property[key.name=/^(stdout|stderr)$/]",
    'CallExpression[callee.name=/^(write|writev|writeFile|appendFile)Sync$/][arguments.0.raw=/^[12]$/]',
  ].map((selector) => ({ selector, message: 'Write to a Stream of src/cli/terminal.ts, which shows hidden marks.' })),
  {
    selector: "MemberExpression[object.name='console']",
    message: 'Write to a Stream of src/cli/terminal.ts, or to a Log.',
  },
  {
    selector:
      "ImportDeclaration[source.value=/^(node:)?(console|process|tty)$/] > ImportSpecifier:not([imported.name='isatty'])",
    message: 'Streams of the process are those of src/cli/terminal.ts.',
  },
];

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

/** Who acts, and on what: docs/writing.md. */
const plainWords = ['Literal[value', 'TemplateElement[value.raw'].map((text) => ({
  selector: `${text}=/\\b(whoever|nobody|somebody|takes? hold|goes by|mend(s|ed)?)\\b/i]`,
  message: 'Say it plainly (docs/writing.md): who acts, or the passive; “takes effect”, “uses”, “fix”.',
}));

/** Syntax that a layer may not use, beside what holds for all of `src`. */
const syntaxOf = (layer, above) => [
  {
    selector: `ImportExpression[source.value=/^(?!.*\\/shared\\/).*\\/(?:${above.join('|')})\\//]`,
    message: `src/${layer} may not reach up (docs/architecture.md).`,
  },
  ...(pure.includes(layer)
    ? [
        {
          selector: 'ImportExpression[source.value=/^(?:node:|vscode$|openai)/]',
          message: node.message,
        },
        {
          selector: "NewExpression[callee.name='Date'][arguments.length=0]",
          message: 'Time comes from the Clock port.',
        },
      ]
    : []),
];

const layers = Object.entries(zones).map(([layer, above]) => ({
  files: [`src/${layer}/**/*.ts`, `src/${layer}.ts`],
  rules: {
    // Rules of one name do not add up: the last that fits a file holds whole.
    'no-restricted-syntax': [
      'error',
      leanZod,
      shortSpread,
      boundedArguments,
      ...plainWords,
      ...oneGate,
      ...syntaxOf(layer, above),
    ],
    'no-restricted-imports': [
      'error',
      {
        patterns: [
          {
            // A folder of `shared` may have the name of the layer that it serves.
            group: [...above.map((other) => `**/${other}/**`), '!**/shared/**', '!**/contract/**', '!**/contract.ts'],
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

export default tseslint.config(
  { ignores: ['dist', 'node_modules', '.vscode-test', '.peers', '.stryker-tmp', 'src/endpoints/embedded/kernels'] },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strict],
    plugins: { genenv: { rules: { 'plain-comments': plainComments } } },
    rules: {
      'genenv/plain-comments': 'error',
      'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
      '@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'never' }],
      '@typescript-eslint/consistent-type-imports': 'error',
      'no-empty': ['error', { allowEmptyCatch: false }],
      'no-restricted-syntax': ['error', leanZod, shortSpread, boundedArguments, ...plainWords],
    },
  },
  {
    files: ['test/**/*.ts'],
    rules: { '@typescript-eslint/no-unused-expressions': 'off', '@typescript-eslint/no-non-null-assertion': 'off' },
  },
  // Lists of benchmarks and of the study are short.
  { files: ['scripts/**/*.ts'], rules: { 'no-restricted-syntax': ['error', leanZod] } },
  { files: ['test/**/*.ts'], rules: { 'no-restricted-syntax': ['error', leanZod, reasonedSkip] } },
  {
    files: ['test/{webview,ui}/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', leanZod, reasonedSkip, ...patience] },
  },
  {
    files: ['src/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', leanZod, shortSpread, boundedArguments, ...plainWords, ...oneGate] },
  },
  ...layers,
  {
    files: ['webview/**/*.ts'],
    rules: {
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
    // The one that writes, and code that runs inside a reward's own process.
    files: ['src/cli/terminal.ts', 'src/rewards/processes/*/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', leanZod] },
  },
);

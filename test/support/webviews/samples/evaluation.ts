/** A page's state as tests show it. */
import type { EvaluationFailure, EvaluationState } from '../../../../src/features/evaluation/contract.ts';

export const pass = (k: number, value: number, tasks: number) => ({
  ...{ k, tasks, value },
  ...{ low: Math.max(0, value - 0.09), high: Math.min(1, value + 0.08) },
});
export const rows = (['simple_python', 'multiple', 'parallel', 'live_simple'] as const).map((category, i) => ({
  ...{ category, tasks: 25, asked: 100, attempts: 100, successes: 62 - 9 * i, answered: 0.62 - 0.09 * i },
  pass: [pass(1, 0.62 - 0.09 * i, 25), pass(4, 0.84 - 0.07 * i, 25)],
}));

export const whole: EvaluationState = {
  folder: '/evaluations/bfcl',
  benchmark: 'BFCL v4',
  policy: { source: '20261121-demo', version: 'agent@12' },
  splits: ['simple_python', 'multiple', 'parallel', 'live_simple'],
  ...{ sample: 100, seed: 1, tasks: 100, attempts: 4, temperature: 0.7, maxTokens: 1024, begun: 1_763_769_600_000 },
  ...{ answered: 400, asked: 400, finished: true, running: false, canContinue: false, rows },
  all: {
    ...{ category: 'all', tasks: 100, asked: 400, attempts: 398, successes: 194, answered: 0.487 },
    pass: [pass(1, 0.485, 100), pass(4, 0.735, 100)],
  },
  totals: [
    {
      name: 'non-live',
      value: null,
      answered: null,
      missing: ['simple_java', 'simple_javascript', 'parallel_multiple'],
    },
    { name: 'live', value: 0.35, answered: 0.36, missing: [] },
  ],
  unofficial: [],
  details: [],
  parts: [],
  errors: 2,
  unanswered: [],
  paper: {
    benchmark: 'BFCL',
    protocol: 'the long-context subset, each turn by itself',
    differs: null,
    models: {
      'Qwen2.5 7B': 7,
      'GenEnv 7B': 41.8,
      'Qwen3 32B': 33.8,
      'Llama 3.1 405B': 5.5,
      'Qwen3 14B': 29.4,
      'GPT-OSS 20B': 24.4,
      'SearchR1 7B': 5,
    },
  },
  cutOff: 0,
  failing: 204,
  damaged: [],
};

export const groups = ['easy', 'medium', 'hard'].flatMap((level) => [
  level,
  ...[3, 5, 7].map((days) => `${level}, ${days} days`),
]);
export const details: EvaluationState['details'] = [
  'rates by level and days',
  'constraints kept by level and days',
].map((name, table) => ({
  ...{ name, columns: groups },
  rows: (table === 0 ? ['delivered', 'hard micro', 'final'] : ['Within Sandbox', 'Room Type (hard)']).map((row, i) => ({
    name: row,
    cells: groups.map((_, at) => (at % 4 === 0 ? { count: 14 - i, of: 15 } : { count: 4 - (i % 2), of: 5 })),
  })),
}));

export const failure = (i: number): EvaluationFailure => ({
  ...{ id: `b0/live_simple_${i}/r${i % 4}`, task: `live_simple_${i}`, category: 'live_simple' },
  kind: (['wrong', 'unreadable', 'not judged'] as const)[i % 3] ?? 'wrong',
  note: i % 3 === 0 ? 'value_error:string: invalid value for parameter “unit”: "kelvin"' : 'the text holds no call',
});

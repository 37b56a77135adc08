/** What the paper reports (arXiv 2512.19682, Table 1), for the benchmarks that a scorer's name tells. */

interface PaperFigures {
  benchmark: string;
  /** How the paper measured, where it says so: a clause. */
  protocol: string;
  /** Success of models, percent. */
  models: Readonly<Record<string, number>>;
}

const names = [
  ...['GenEnv 7B', 'Qwen2.5 7B', 'ReSearch 7B', 'SearchR1 7B', 'ToRL 7B', 'Qwen3 14B', 'GPT-OSS 20B', 'Qwen3 32B'],
  ...['Llama 3.1 70B', 'Qwen2.5 72B', 'GPT-OSS 120B', 'Llama 3.1 405B'],
];

const column = (...values: number[]): Record<string, number> =>
  Object.fromEntries(names.map((name, i) => [name, values[i] ?? NaN]));

const bfcl: PaperFigures = {
  benchmark: 'BFCL',
  protocol: 'the long-context subset, each turn by itself, which is another part of BFCL than this',
  models: column(41.8, 7.0, 5.0, 5.0, 0.0, 29.4, 24.4, 33.8, 13.4, 35.3, 21.9, 5.5),
};

const apiBank = column(79.1, 61.6, 65.3, 63.3, 54.1, 66.7, 41.2, 63.8, 64.3, 54.9, 53.6, 74.4);

const figures: Readonly<Record<string, PaperFigures>> = {
  bfcl,
  'bfcl-relevance': bfcl,
  'bfcl-multi-turn': {
    ...bfcl,
    protocol:
      'the long-context subset, each turn by itself, where whole conversations of the base category are held here',
  },
  toolrl: {
    benchmark: 'API-Bank',
    protocol: 'as ToRL measured, by prompts that are not published',
    models: apiBank,
  },
  alfworld: {
    benchmark: 'ALFWorld',
    protocol: 'the official validation set, games cut into single steps, where these are played to their end',
    models: column(54.5, 14.2, 18.7, 16.1, 8.0, 37.8, 53.6, 52.3, 60.1, 63.5, 60.4, 65.3),
  },
  'api-bank': {
    benchmark: 'API-Bank',
    protocol: 'as ToRL measured, by prompts that are not published, where calls are executed here',
    models: apiBank,
  },
  travelplanner: {
    benchmark: 'TravelPlanner',
    protocol: 'the mean of the four constraint rates; its split and mode are not told',
    models: column(16.6, 14.3, 16.4, 16.1, 14.8, 14.7, 14.9, 22.5, 17.6, 20.5, 14.7, 16.5),
  },
  bamboogle: {
    benchmark: 'Bamboogle',
    protocol: 'as ToRL measured: with a search tool, and most likely by a judge model',
    models: column(76.0, 68.0, 68.0, 67.2, 34.4, 76.0, 33.6, 71.2, 76.8, 69.6, 29.6, 77.6),
  },
};

/** Null for what the paper does not measure. @param rule the scorer's name */
export const paperFigures = (rule: string): PaperFigures | null =>
  Object.hasOwn(figures, rule) ? (figures[rule] ?? null) : null;

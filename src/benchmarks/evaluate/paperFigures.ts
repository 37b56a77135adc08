/**
 * The paper's reported figures (arXiv 2512.19682, Table 1), with the protocol of their measurement. They are shown
 * beside an evaluation only if its protocol is the same; otherwise the paper's protocol is named.
 */
import * as l10n from '@vscode/l10n';
import type { EvaluationSettings } from '../../shared/records/evaluation.ts';

export interface PaperFigures {
  benchmark: string;
  /** How the paper measured, where it says so: a clause. */
  protocol: string;
  /** The difference here, as a clause; null where the protocols are the same as far as the paper states its own. */
  differs: string | null;
  /** Success of models, percent; null where the protocols differ. */
  models: Readonly<Record<string, number>> | null;
}

/** The paper's description of its measurement. */
interface Measured {
  benchmark: string;
  protocol: () => string;
  models: Readonly<Record<string, number>>;
}

const names = [
  ...['GenEnv 7B', 'Qwen2.5 7B', 'ReSearch 7B', 'SearchR1 7B', 'ToRL 7B', 'Qwen3 14B', 'GPT-OSS 20B', 'Qwen3 32B'],
  ...['Llama 3.1 70B', 'Qwen2.5 72B', 'GPT-OSS 120B', 'Llama 3.1 405B'],
];

const column = (...values: number[]): Record<string, number> =>
  Object.fromEntries(names.map((name, i) => [name, values[i] ?? NaN]));

/** By the protocol's name here. */
const measured = {
  'bfcl-long-context-turns': {
    benchmark: 'BFCL',
    protocol: () => l10n.t('the long-context subset, each turn by itself'),
    models: column(41.8, 7.0, 5.0, 5.0, 0.0, 29.4, 24.4, 33.8, 13.4, 35.3, 21.9, 5.5),
  },
  toolrl: {
    benchmark: 'API-Bank',
    protocol: () => l10n.t('as ToRL measured, by prompts that are not published'),
    models: column(79.1, 61.6, 65.3, 63.3, 54.1, 66.7, 41.2, 63.8, 64.3, 54.9, 53.6, 74.4),
  },
  'alfworld-steps': {
    benchmark: 'ALFWorld',
    protocol: () => l10n.t('the official validation set, games cut into single steps'),
    models: column(54.5, 14.2, 18.7, 16.1, 8.0, 37.8, 53.6, 52.3, 60.1, 63.5, 60.4, 65.3),
  },
  travelplanner: {
    benchmark: 'TravelPlanner',
    protocol: () => l10n.t('the mean of the four constraint rates; its split and mode are not told'),
    models: column(16.6, 14.3, 16.4, 16.1, 14.8, 14.7, 14.9, 22.5, 17.6, 20.5, 14.7, 16.5),
  },
  'bamboogle-search-judged': {
    benchmark: 'Bamboogle',
    protocol: () => l10n.t('as ToRL measured: with a search tool, and most likely by a judge model'),
    models: column(76.0, 68.0, 68.0, 67.2, 34.4, 76.0, 33.6, 71.2, 76.8, 69.6, 29.6, 77.6),
  },
} as const satisfies Record<string, Measured>;

/** Of protocols that the paper did not measure by: which of its figures they are kept from, and why. */
const others: Readonly<Record<string, { paper: keyof typeof measured; differs: () => string }>> = {
  bfcl: { paper: 'bfcl-long-context-turns', differs: () => l10n.t('single-turn categories are asked') },
  'bfcl-relevance': {
    paper: 'bfcl-long-context-turns',
    differs: () => l10n.t('it is asked whether a call fits at all'),
  },
  'bfcl-multi-turn': { paper: 'bfcl-long-context-turns', differs: () => l10n.t('whole conversations are held') },
  'api-bank': { paper: 'toolrl', differs: () => l10n.t('calls are executed') },
  alfworld: { paper: 'alfworld-steps', differs: () => l10n.t('games are played to their end') },
  bamboogle: { paper: 'bamboogle-search-judged', differs: () => l10n.t('there is no search, and exact match decides') },
  'bamboogle-judged': { paper: 'bamboogle-search-judged', differs: () => l10n.t('there is no search') },
  'bamboogle-search': { paper: 'bamboogle-search-judged', differs: () => l10n.t('exact match decides') },
};

/** The name of the protocol that an evaluation follows. */
export const protocolOf = ({ rule, judge }: Pick<EvaluationSettings, 'rule' | 'judge'>): string =>
  judge === undefined ? rule : `${rule}-judged`;

/** Null for what the paper does not measure. @param protocol as `protocolOf` names it */
export function paperFigures(protocol: string): PaperFigures | null {
  const other = Object.hasOwn(others, protocol) ? others[protocol] : undefined;
  const own = measuredBy(protocol) ?? (other && measured[other.paper]);
  if (own === undefined) return null;
  const told = { ...own, protocol: own.protocol(), differs: other?.differs() ?? null };
  return other === undefined ? told : { ...told, models: null };
}

function measuredBy(protocol: string): Measured | undefined {
  const all: Readonly<Record<string, Measured>> = measured;
  return Object.hasOwn(all, protocol) ? all[protocol] : undefined;
}

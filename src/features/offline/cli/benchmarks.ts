/** The benchmarks of `genenv score`. Each is loaded on demand: their rules and parsers are large. */
import type { OpenScorer } from '../../../benchmarks/offline/offlineScorer.ts';
import { compileQuickly } from './compileQuickly.ts';

interface Benchmark {
  /** Options of `genenv score` that mean something to it. */
  options: readonly string[];
  /** @param dist the build's folder, with a trailing slash */
  load: (dist: URL) => Promise<OpenScorer>;
}

export const benchmarks: Readonly<Record<string, Benchmark>> = {
  alfworld: {
    options: ['game', 'games', 'no-rename'],
    load: async () => (await import('../../../benchmarks/alfworld/offline.ts')).openAlfworld,
  },
  'api-bank': {
    options: ['parse', 'execute', 'rouge', 'data'],
    load: async () => (await import('../../../benchmarks/apiBank/offline.ts')).openApiBank,
  },
  bamboogle: {
    options: [],
    load: async () => (await import('../../../benchmarks/bamboogle/offline.ts')).openBamboogle,
  },
  bfcl: {
    options: ['decode', 'relevance'],
    load: async (dist) => {
      // Before its code runs, which is made for files of thousands of answers.
      compileQuickly();
      const { openBfcl } = await import('../../../benchmarks/bfcl/offline.ts');
      return (options) => openBfcl(options, dist);
    },
  },
  'bfcl-multi-turn': {
    options: ['data'],
    load: async () => {
      const { openBfclMultiTurn } = await import('../../../benchmarks/bfcl/multiTurn/offline.ts');
      const { today } = await import('../../../benchmarks/bfcl/multiTurn/apis/today.ts');
      return (options) => openBfclMultiTurn(options, today());
    },
  },
  travelplanner: {
    options: ['database', 'rates'],
    load: async () => (await import('../../../benchmarks/travelplanner/offline.ts')).openTravelPlanner,
  },
};

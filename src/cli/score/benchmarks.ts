/** What `genenv score` can score. Each is loaded when it is asked for: their rules and parsers are large. */
import type { OpenScorer } from '../../benchmarks/offline/offlineScorer.ts';

interface Benchmark {
  /** Options of `genenv score` that mean something to it. */
  options: readonly string[];
  load: () => Promise<OpenScorer>;
}

export const benchmarks: Readonly<Record<string, Benchmark>> = {
  'api-bank': {
    options: ['parse', 'rouge'],
    load: async () => (await import('../../benchmarks/apiBank/offline.ts')).openApiBank,
  },
  bamboogle: {
    options: [],
    load: async () => (await import('../../benchmarks/bamboogle/offline.ts')).openBamboogle,
  },
  travelplanner: {
    options: ['database', 'rates'],
    load: async () => (await import('../../benchmarks/travelplanner/offline.ts')).openTravelPlanner,
  },
};

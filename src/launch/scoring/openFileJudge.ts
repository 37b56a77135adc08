import { ruleNames, ScorerTable } from '../../benchmarks/scorerTable.ts';
import { StorekeeperDomain } from '../../benchmarks/storekeeper/domain.ts';
import { evaluationKind } from '../../benchmarks/storekeeper/task.ts';
import type { LocalDomain } from '../../engine/ports.ts';

/** Verifies the tasks of a file, by the rule that each of them names; excludes the run's held-out tasks. */
export async function openFileJudge(): Promise<Pick<LocalDomain, 'verify' | 'fingerprint' | 'seeds'>> {
  const [builtIn, rules] = await Promise.all([StorekeeperDomain.open({}), ScorerTable.open(ruleNames)]);
  return {
    verify(task) {
      if (task.evaluation.kind === evaluationKind) return builtIn.verify(task);
      const fault = rules.fault(task);
      return fault === null ? { ok: true } : { ok: false, cause: 'gold', note: fault };
    },
    fingerprint: (task) => builtIn.fingerprint(task),
    seeds: (split) => builtIn.seeds(split),
  };
}

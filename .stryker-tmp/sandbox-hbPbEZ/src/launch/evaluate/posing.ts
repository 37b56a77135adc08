/** A benchmark's tasks as they are posed: in one turn, or as episodes where their rule plays games or conversations. */
import { GivenTasks } from '../../benchmarks/given/domain.ts';
import type { ScorerRule } from '../../benchmarks/scorerTable.ts';
import type { Domain, Environment } from '../../engine/ports.ts';
import type { Task } from '../../shared/records/task.ts';

/** @param rules that the tasks name */
export async function posing(tasks: readonly Task[], rules: ScorerRule): Promise<Domain> {
  const kinds = new Set(tasks.map(({ evaluation }) => evaluation.kind));
  const episodes = new Map<string, (task: Task) => Environment>();
  if (kinds.has('alfworld')) {
    episodes.set('alfworld', (await import('../../benchmarks/alfworld/gameTask.ts')).gameEpisode);
  }
  if (kinds.has('bfcl-multi-turn')) {
    episodes.set('bfcl-multi-turn', (await import('../../benchmarks/bfcl/multiTurn/turnsTask.ts')).turnsEpisode);
  }
  return new GivenTasks(tasks, rules, (task) => episodes.get(task.evaluation.kind)?.(task) ?? null);
}

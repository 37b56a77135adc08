/** A Runs tree over the runs of a folder of a test's own. */
import { OpenRuns } from '../../../src/host/trees/openRuns.ts';
import type { RunsNode } from '../../../src/host/trees/runs/node.ts';
import { RunsModel, type Changed } from '../../../src/host/trees/runs/runsModel.ts';
import type { EventOf, JournalEvent } from '../../../src/shared/journal/events.ts';
import type { Task } from '../../../src/shared/records/task.ts';
import type { Trace } from '../../../src/shared/records/trace.ts';
import { finishedRun } from '../runs/scriptedStore.ts';
import { all, withTempRuns, type TempRuns } from '../runs/tempRuns.ts';
import { smallExperiment } from '../scripted/scriptedRun.ts';
import { ScriptedCatalog } from './scriptedCatalog.ts';

export interface Tree {
  runs: TempRuns;
  catalog: ScriptedCatalog;
  open: OpenRuns;
  model: RunsModel;
  /** The model's reported changes, in order. */
  told: Changed[];
}

export async function withTree(test: (tree: Tree) => Promise<void>): Promise<void> {
  await withTempRuns(async (runs) => {
    const catalog = new ScriptedCatalog(runs.store());
    const open = new OpenRuns(catalog);
    const told: Changed[] = [];
    const model = new RunsModel(catalog, open, (changed) => told.push(changed));
    await test({ runs, catalog, open, model, told });
    model.dispose();
    open.dispose();
  });
}

export const ofKind = <K extends RunsNode['kind']>(nodes: readonly RunsNode[], kind: K) =>
  nodes.filter((node): node is Extract<RunsNode, { kind: K }> => node.kind === kind);

export interface Recorded {
  events: JournalEvent[];
  scored: EventOf<'families.scored'>[];
  tasks: Task[];
  traces: Trace[];
}

export async function contentsOf(runs: TempRuns, id: string): Promise<Recorded> {
  const reader = await runs.store().openReader(id);
  const events = await all(reader.events());
  const scored = events.filter((event) => event.type === 'families.scored');
  const contents = { events, scored, tasks: await all(reader.tasks()), traces: await all(reader.traces()) };
  await reader.close();
  return contents;
}

/** A run whose journal is these events. */
export async function written({ runs, catalog }: Tree, events: readonly JournalEvent[]) {
  const writer = await runs.store().create({ experiment: smallExperiment() });
  for (const event of events) await writer.append(event);
  await catalog.look();
  return writer;
}

export async function recordedEvents(): Promise<JournalEvent[]> {
  let events: JournalEvent[] = [];
  await withTempRuns(async (runs) => {
    const { id } = await finishedRun(runs.store(), smallExperiment());
    ({ events } = await contentsOf(runs, id));
  });
  return events;
}

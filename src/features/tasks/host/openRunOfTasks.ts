/** The tasks of a run, or of one of its pools, opened for the editor. */
import { createWriteStream } from 'node:fs';
import { once as happens } from 'node:events';
import * as vscode from 'vscode';
import type { TaskHealth } from '../../health/contract.ts';
import { writeError } from '../../../runs/files/fileErrors.ts';
import { EditedTasks } from '../node/editedTasks.ts';
import { lineOf } from '../node/fileLine.ts';
import { editsOf } from '../node/runEdits.ts';
import { RunTasks, type ShownPool } from '../node/runTasks.ts';
import { readRunName } from '../../../runs/store/runName.ts';
import { runSource } from '../node/taskSource.ts';
import type { TasksSource } from '../contract.ts';
import { givenOf } from '../../../host/documents/recordedTasks.ts';
import { once } from '../../../host/once.ts';
import type { RunCatalog, RunDir, RunService } from '../../../host/runs/runs.ts';
import type { OpenRuns } from '../../../host/trees/openRuns.ts';
import { poolName } from '../../../host/trees/pool.ts';
import { count } from '../../../shared/text/figures/numbers.ts';
import type { Measured, OpenedTasks } from './openTasks.ts';
import { TaskRules } from './taskRules.ts';

export interface RunTasksNeeds {
  open: OpenRuns;
  catalog: Pick<RunCatalog, 'get' | 'ready'>;
  service: Pick<RunService, 'editTasks'>;
}

/** Tasks written out together. */
const batch = 512;

/** @param key identifies the user of the run, so that it stays followed. @throws RunError, InputError */
export async function openRunOfTasks(
  dir: RunDir,
  pool: ShownPool | null,
  key: string,
  { open, catalog, service }: RunTasksNeeds,
): Promise<OpenedTasks> {
  await catalog.ready;
  open.show(dir, key, true);
  const run = await open.open(dir);
  const { followed } = run;
  await followed.whole;
  const name = await readRunName(followed);
  const given = [...(await givenOf(run)).values()];
  const records = await RunTasks.open(
    {
      reader: followed.reader,
      given,
      scoredEpochs: () => followed.scoredEpochs,
      familiesOf: (epoch) => run.families(epoch),
      lambdaOf: (epoch) => run.facts.epochs.get(epoch)?.curriculum.lambda ?? 1,
      state: () => followed.state,
    },
    pool,
  );
  const measured = new Map<number, Measured & { of: string }>();
  /** So many rows, after so many edits, had their flags computed, all of them at once. */
  let flagged = { rows: 0, edits: 0 };
  const health = once(async (): Promise<TaskHealth> => {
    const { openHealth } = await import('../../health/node/openHealth.ts');
    return openHealth(followed.reader);
  });
  const tasks: EditedTasks = new EditedTasks(
    runSource(records, async (signal) => {
      const { columns } = tasks;
      const edits = followed.state.edits.length;
      if (flagged.rows === columns.count && flagged.edits === edits) return;
      const { recorded, given: ofGiven } = await (await health()).scan({ signal });
      columns.flags.fill(0);
      columns.flags.set(recorded.subarray(0, columns.count - records.table.firstLine), records.table.firstLine);
      for (const [id, bits] of ofGiven) {
        const row = await records.rowOf(id);
        if (row !== null) columns.flags[row] = bits;
      }
      flagged = { rows: columns.count, edits };
    }),
  );
  await tasks.view.again(AbortSignal.timeout(600_000));
  tasks.rebase(records.savedRows);
  let closed: TaskRules | null = null;
  const rules = once(async () => {
    const { domainOf } = await import('../../../launch/domains/openDomain.ts');
    return (closed = new TaskRules((await domainOf(followed)).domain, tasks));
  });

  const opened: OpenedTasks = {
    tasks,
    run,
    about: () => ({
      kind: 'run',
      name: catalog.get(dir)?.head.name ?? name,
      run: dir,
      pool: pool === null ? null : aboutPool(pool, records, followed.state.summaries.length),
      tasks: records.members()?.length ?? tasks.columns.count,
      damaged: 0,
      trusted: vscode.workspace.isTrusted,
      live: (catalog.get(dir)?.writer ?? null) !== null,
      attempts: {
        group: followed.experiment.rollouts.group,
        why: vscode.workspace.isTrusted ? null : vscode.l10n.t('Attempts are off in Restricted Mode.'),
      },
    }),
    rules,
    damageOf: () => Promise.resolve(null),
    lineRemarks: () => Promise.resolve([]),
    flagsOf: async (_row, task) => (await health()).of(task),
    measured(row, { version, before, after }) {
      measured.set(row, { version, before, after, of: JSON.stringify(tasks.partOf(row)) });
    },
    // Records only ever grow.
    isStale: () => Promise.resolve(false),
    async grow() {
      const touched = await records.grow();
      opened.onDidGrow(touched);
    },
    onDidGrow: () => undefined,
    async save(rows) {
      const names = await records.table.namesOf(rows);
      const edits = rows.flatMap((row) => {
        const change = tasks.working.changeOf(row);
        const tried = measured.get(row);
        const still = tried?.of === JSON.stringify(tasks.partOf(row)) ? tried : undefined;
        return change === null ? [] : editsOf(names.get(row)?.id ?? '', change, still);
      });
      const outcome = await service.editTasks(dir, edits);
      const text =
        outcome.state === 'waiting'
          ? vscode.l10n.t('The edits take effect with the next epoch that is not sampled yet.')
          : vscode.l10n.t('Journaled: in effect from epoch {0}.', count(outcome.epoch));
      vscode.window.setStatusBarMessage(text, 5000);
    },
    async saveTo(path) {
      const rows = records.members() ?? Uint32Array.from({ length: tasks.columns.count }, (_, row) => row);
      await writeTasks(path, tasks, rows);
    },
    async close() {
      closed?.close();
      open.show(dir, key, false);
      await records.close();
    },
  };
  // Rewards arrive shortly after the rows; a request for them reports an unreadable journal.
  void records.scores().then(
    () => opened.onDidGrow(new Set()),
    () => undefined,
  );
  return opened;
}

function aboutPool(pool: ShownPool, records: RunTasks, epoch: number): NonNullable<TasksSource['pool']> {
  const left =
    records.leftOut === 0 ? '' : vscode.l10n.t(' Left out: {0} excluded or edited by hand.', count(records.leftOut));
  const provenance =
    pool === 'agent'
      ? vscode.l10n.t('{0}: the base tasks, and every task with valid training attempts.', poolName(pool))
      : vscode.l10n.t(
          '{0}: the generated tasks that the difficulty filter kept, each weighing exp(λR_env) of its epoch.',
          poolName(pool),
        );
  return { name: pool, epoch, effectiveSampleSize: records.effectiveSampleSize, provenance: provenance + left };
}

/** Tasks as a task file, a few at a time. @throws RunError */
async function writeTasks(path: string, tasks: EditedTasks, rows: Uint32Array): Promise<void> {
  const stream = createWriteStream(path);
  try {
    for (let from = 0; from < rows.length; from += batch) {
      const some = await tasks.at([...rows.subarray(from, from + batch)]);
      const text = some
        .filter(({ task }) => task.status === 'accepted')
        .map(({ task, now }) => `${lineOf({ task, excluded: now.excluded, tags: now.tags })}\n`);
      if (!stream.write(text.join(''))) await happens(stream, 'drain');
    }
    stream.end();
    await happens(stream, 'finish');
  } catch (error) {
    stream.destroy();
    throw writeError(error, path);
  }
}

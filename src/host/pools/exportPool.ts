/** "Export Pool…": which pool, what of it, where to; with progress and a way to give up. */
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import * as z from 'zod';
import { agentPool } from '../../runs/export/agentPool.ts';
import { environmentPool } from '../../runs/export/environmentPool.ts';
import { exportFile } from '../../runs/export/exportFile.ts';
import { givenOf } from '../documents/recordedTasks.ts';
import type { KnownRun } from '../runs/runs.ts';
import { count } from '../trees/figures.ts';
import type { OpenRun } from '../trees/openRun.ts';
import { choosePart } from './choosePart.ts';
import { takePart, type PoolPart } from './poolPart.ts';
import { poolFacts } from './poolFacts.ts';
import { emptyText, poolName } from './pool.ts';

/** Larger files are shown where they lie, not opened as text. */
const openableBytes = 20 * 2 ** 20;
const exportedSchema = z.enum(['agent', 'environment']);
type Exported = z.infer<typeof exportedSchema>;

/** @param argument a node of the tree that names a pool, or anything else: then it is asked for @throws RunError */
export async function exportPool({ dir, head }: KnownRun, run: OpenRun, argument: unknown): Promise<void> {
  const given = z.object({ pool: exportedSchema }).safeParse(argument);
  const pool = given.success ? given.data.pool : await choosePool(run);
  if (pool === undefined) return;
  if (pool === 'environment' && run.facts.environmentPool().instances === 0) {
    void vscode.window.showInformationMessage(emptyText(pool));
    return;
  }
  const part = await choosePart(pool, run);
  if (part === undefined) return;
  const name = `${basename(dir)}-${poolName(pool)}.jsonl`;
  const folder = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(dir))?.uri.fsPath ?? dir;
  const target = await vscode.window.showSaveDialog({
    title: vscode.l10n.t('Export {0} of “{1}”', poolName(pool), head.name),
    defaultUri: vscode.Uri.file(join(folder, name)),
    filters: { [vscode.l10n.t('JSON lines')]: ['jsonl'] },
  });
  if (target === undefined) return;
  const lines = await write(run, pool, part, target.fsPath);
  if (lines !== null) await tell(target, lines, pool);
}

async function choosePool(run: OpenRun): Promise<Exported | undefined> {
  const { agent, environment } = poolFacts(run.facts, run.followed.state);
  const items = [
    {
      label: poolName('agent'),
      description: vscode.l10n.t(
        '{0} traces of {1} tasks, and the base tasks',
        count(agent.traces.count),
        count(agent.tasks.count),
      ),
      detail: vscode.l10n.t('What the agent learns from'),
      pool: 'agent' as const,
    },
    {
      label: poolName('environment'),
      description: vscode.l10n.t('{0} weighted tasks', count(environment.count)),
      detail: vscode.l10n.t('What the environment learns to write'),
      pool: 'environment' as const,
    },
  ];
  const picked = await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Which pool to export?') });
  return picked?.pool;
}

/** @returns null when it was given up */
function write(run: OpenRun, pool: Exported, part: PoolPart, file: string): Thenable<number | null> {
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: vscode.l10n.t('Exporting {0}', poolName(pool)),
    cancellable: true,
  };
  return vscode.window.withProgress(options, async (progress, token) => {
    const told = (lines: number): void => {
      progress.report({ message: vscode.l10n.t('{0} lines', count(lines)) });
    };
    try {
      const { reader } = run.followed;
      const all =
        pool === 'environment' ? environmentPool(reader) : agentPool(reader, [...(await givenOf(run)).values()]);
      return await exportFile(takePart(all, part, { told, isCancelled: () => token.isCancellationRequested }), file);
    } catch (error) {
      if (token.isCancellationRequested) return null;
      throw error;
    }
  });
}

async function tell(file: vscode.Uri, lines: number, pool: Exported): Promise<void> {
  const { size } = await vscode.workspace.fs.stat(file);
  const open = vscode.l10n.t('Open');
  const reveal = vscode.l10n.t('Show in Explorer');
  const text = vscode.l10n.t('{0} lines of {1} are in {2}.', count(lines), poolName(pool), basename(file.fsPath));
  const inside = vscode.workspace.getWorkspaceFolder(file) !== undefined;
  const offers = [...(size <= openableBytes ? [open] : []), ...(inside ? [reveal] : [])];
  const chosen = await vscode.window.showInformationMessage(text, ...offers);
  if (chosen === open) await vscode.window.showTextDocument(file);
  else if (chosen === reveal) await vscode.commands.executeCommand('revealInExplorer', file);
}

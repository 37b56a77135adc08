/** Export Pool…: which pool, format and part; a preview; the target. With progress and cancellation. */
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import * as z from 'zod';
import { exportPool, isParquet, type PoolExport } from '../../../runs/export/exportPool.ts';
import { exportedPools, formatNames, formatOf, rowKinds, weightings } from '../../../runs/export/formats.ts';
import type { ExportChoice, ExportedPool } from '../../../runs/export/formats.ts';
import { itemKinds, type PoolPart } from '../../../runs/export/poolPart.ts';
import { previewMarkdown, previewPool } from '../../../runs/export/preview.ts';
import { givenOf } from '../../../host/documents/recordedTasks.ts';
import type { KnownRun } from '../../../host/runs/runs.ts';
import { count } from '../../../shared/text/figures/numbers.ts';
import type { OpenRun } from '../../../host/trees/openRun.ts';
import { chooseFormat } from './chooseFormat.ts';
import { choosePart } from './choosePart.ts';
import type { ExportPreviews } from './exportPreviews.ts';
import { poolFacts } from './poolFacts.ts';
import { emptyText, poolName } from '../../../host/trees/pool.ts';

/** Larger files, and binary ones, are shown in the file manager, not opened. */
const openableBytes = 20 * 2 ** 20;

const choiceSchema = z.discriminatedUnion('pool', [
  z.object({ pool: z.literal('agent'), format: z.enum(formatNames), rows: z.enum(rowKinds) }),
  z.object({ pool: z.literal('environment'), format: z.enum(formatNames), weights: z.enum(weightings) }),
]);
const partSchema = z.object({
  kinds: z.array(z.enum(itemKinds)).optional(),
  epochs: z.tuple([z.int(), z.int()]).optional(),
});
/** A node of the tree names a pool, a preview all that was chosen. */
const requestSchema = z.object({
  pool: z.enum(exportedPools).optional(),
  previewed: z.object({ choice: choiceSchema, part: partSchema }).optional(),
});

/** @param argument the known choices; pickers ask for the rest @throws RunError, InputError */
export async function runExport(
  known: KnownRun,
  run: OpenRun,
  argument: unknown,
  previews: ExportPreviews,
): Promise<void> {
  const { data: request } = requestSchema.safeParse(argument);
  const { choice, part } = request?.previewed ?? (await chooseWhat(run, request?.pool)) ?? {};
  if (choice === undefined || part === undefined) return;
  if (request?.previewed === undefined) {
    const goOn = await preview(run, { choice, part }, previews);
    if (!goOn) return;
  }
  await writeFile(known, run, choice, part);
}

async function chooseWhat(
  run: OpenRun,
  given: ExportedPool | undefined,
): Promise<{ choice: ExportChoice; part: PoolPart } | undefined> {
  const pool = given ?? (await choosePool(run));
  if (pool === undefined) return undefined;
  if (pool === 'environment' && run.facts.environmentPool().instances === 0) {
    void vscode.window.showInformationMessage(emptyText(pool));
    return undefined;
  }
  const choice = await chooseFormat(pool);
  const part = choice && (await choosePart(choice, run));
  return part && { choice, part };
}

/** Whether to continue at once; the document can continue later. */
async function preview(
  run: OpenRun,
  { choice, part }: { choice: ExportChoice; part: PoolPart },
  previews: ExportPreviews,
): Promise<boolean> {
  const shown = await followed(
    vscode.l10n.t('Preparing {0}', poolName(choice.pool)),
    run,
    choice,
    part,
    async (all) => {
      const found = await previewPool(all);
      return { ...found, text: previewMarkdown(all, found) };
    },
  );
  if (shown === null) return false;
  const { text, rows, leftOut } = shown;
  await previews.show(text, { run: run.followed.dir, previewed: { choice, part } });
  const left = leftOut.reduce((sum, line) => sum + line.count, 0);
  const go = vscode.l10n.t('Write to a File…');
  const said = vscode.l10n.t(
    '{0} rows of {1} as {2}, {3} left out.',
    count(rows),
    poolName(choice.pool),
    choice.format,
    count(left),
  );
  return (await vscode.window.showInformationMessage(said, go)) === go;
}

async function writeFile({ dir, head }: KnownRun, run: OpenRun, choice: ExportChoice, part: PoolPart): Promise<void> {
  const kinds = formatOf(choice).parquet ? ['parquet', 'jsonl'] : ['jsonl'];
  const words: Record<string, string> = { parquet: 'Parquet', jsonl: vscode.l10n.t('JSON lines') };
  const name = `${basename(dir)}-${poolName(choice.pool)}${choice.format === 'jsonl' ? '' : `-${choice.format}`}`;
  const folder = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(dir))?.uri.fsPath ?? dir;
  const target = await vscode.window.showSaveDialog({
    title: vscode.l10n.t('Export {0} of “{1}”', poolName(choice.pool), head.name),
    defaultUri: vscode.Uri.file(join(folder, `${name}.${kinds[0] ?? ''}`)),
    filters: Object.fromEntries(kinds.map((kind) => [words[kind] ?? kind, [kind]])),
  });
  if (target === undefined) return;
  const title = vscode.l10n.t('Exporting {0}', poolName(choice.pool));
  const written = await followed(title, run, choice, part, (all) => exportPool(target.fsPath, all));
  if (written !== null) await tell(target, written.rows, choice.pool);
}

async function choosePool(run: OpenRun): Promise<ExportedPool | undefined> {
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
  const picked = await vscode.window.showQuickPick(items, {
    ignoreFocusOut: true,
    title: vscode.l10n.t('Which pool to export?'),
  });
  return picked?.pool;
}

/** With progress and a way to give up. @returns null when it was given up */
function followed<T>(
  title: string,
  run: OpenRun,
  choice: ExportChoice,
  part: PoolPart,
  work: (all: PoolExport) => Promise<T>,
): Thenable<T | null> {
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  return vscode.window.withProgress(options, async (progress, token) => {
    const ending = new AbortController();
    token.onCancellationRequested(() => ending.abort(new Error(vscode.l10n.t('Cancelled.'))));
    const told = (read: number): void => {
      progress.report({ message: vscode.l10n.t('{0} records read', count(read)) });
    };
    try {
      const source = run.followed.reader;
      const all = { choice, part, source, told, signal: ending.signal };
      if (choice.pool === 'environment') return await work({ ...all, given: [] });
      const { posingOf } = await import('../../../launch/domains/posing.ts');
      const given = [...(await givenOf(run)).values()];
      return await work({ ...all, given, posing: await posingOf(run.followed) });
    } catch (error) {
      if (token.isCancellationRequested) return null;
      throw error;
    }
  });
}

async function tell(file: vscode.Uri, lines: number, pool: ExportedPool): Promise<void> {
  const { size } = await vscode.workspace.fs.stat(file);
  const open = vscode.l10n.t('Open');
  const reveal = vscode.l10n.t('Show in Explorer');
  const text = vscode.l10n.t('{0} lines of {1} are in {2}.', count(lines), poolName(pool), basename(file.fsPath));
  const inside = vscode.workspace.getWorkspaceFolder(file) !== undefined;
  const offers = [...(size <= openableBytes && !isParquet(file.fsPath) ? [open] : []), ...(inside ? [reveal] : [])];
  const chosen = await vscode.window.showInformationMessage(text, ...offers);
  if (chosen === open) await vscode.window.showTextDocument(file);
  else if (chosen === reveal) await vscode.commands.executeCommand('revealInExplorer', file);
}

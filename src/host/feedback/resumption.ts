/** Offers to resume runs that ended unintentionally (a window closed, a process died, a machine restarted). */
import { hostname } from 'node:os';
import * as vscode from 'vscode';
import * as z from 'zod';
import { once } from '../once.ts';
import type { Catalog } from '../runs/catalog.ts';
import type { KnownRun, RunDir, RunQueue, RunService } from '../runs/runs.ts';
import type { Failures } from './failures.ts';

/** Interruptions whose resumption the user declined: run → time of its last session event. */
const declinedKey = 'genenv.resume.declined';
const declinedSchema = once(() => z.record(z.string(), z.number()));
/** Runs that were interrupted together are offered together. */
const gatherMs = 500;

export interface ResumptionNeeds {
  catalog: Catalog;
  service: RunService;
  /** Runs in a queue are resumed by its runner. */
  queue: Pick<RunQueue, 'place' | 'ready'>;
  failures: Failures;
  log: vscode.LogOutputChannel;
  memory: vscode.Memento;
}

export function registerResumption(needs: ResumptionNeeds): vscode.Disposable {
  const { catalog, service, queue, failures, log, memory } = needs;
  /** Runs offered or resumed in this window, so that each is offered once. */
  const handled = new Map<RunDir, number>();
  let timer: NodeJS.Timeout | null = null;

  const declined = (): Record<string, number> => declinedSchema().safeParse(memory.get(declinedKey)).data ?? {};
  const interrupted = (): KnownRun[] =>
    catalog.runs.filter(({ dir, head, writer }) => {
      const session = catalog.lastSession(dir);
      if (head.state !== 'interrupted' || writer !== null || session?.host !== hostname()) return false;
      if (queue.place(dir) !== undefined) return false;
      return handled.get(dir) !== session.at && declined()[dir] !== session.at && !service.active.has(dir);
    });

  const resume = async (runs: readonly KnownRun[]): Promise<void> => {
    for (const { dir, head } of runs) {
      await failures.guard(vscode.l10n.t('“{0}” was not resumed', head.name), () => service.resume(dir));
    }
  };
  const decline = async (runs: readonly KnownRun[]): Promise<void> => {
    // Runs that are gone need no memory.
    const kept = Object.entries(declined()).filter(([dir]) => catalog.get(dir) !== undefined);
    const added = runs.map(({ dir }): [string, number] => [dir, catalog.lastSession(dir)?.at ?? 0]);
    await memory.update(declinedKey, Object.fromEntries([...kept, ...added]));
  };

  const look = async (): Promise<void> => {
    timer = null;
    if (!vscode.workspace.isTrusted) return;
    await queue.ready;
    const found = interrupted();
    for (const { dir } of found) handled.set(dir, catalog.lastSession(dir)?.at ?? 0);
    const wish = (run: KnownRun): string =>
      vscode.workspace.getConfiguration('genenv', vscode.Uri.file(run.dir)).get('resume', 'ask');
    const always = found.filter((run) => wish(run) === 'always');
    for (const { dir } of always) log.info(`${dir}: was interrupted, resumed as "genenv.resume" says`);
    await resume(always);
    const asked = found.filter((run) => wish(run) === 'ask');
    const [first] = asked;
    if (first !== undefined) await ask(first, asked, { resume, decline });
  };
  const soon = (): void => {
    if (timer !== null || interrupted().length === 0) return;
    timer = setTimeout(() => void failures.guard(vscode.l10n.t('Runs were not offered'), look), gatherMs);
  };
  void catalog.ready.then(soon);
  return vscode.Disposable.from(
    catalog.onDidChangeList(soon),
    catalog.onDidChangeRuns(soon),
    vscode.workspace.onDidGrantWorkspaceTrust(soon),
    { dispose: () => (timer === null ? undefined : clearTimeout(timer)) },
  );
}

interface Answers {
  resume: (runs: readonly KnownRun[]) => Promise<void>;
  decline: (runs: readonly KnownRun[]) => Promise<void>;
}

async function ask(first: KnownRun, runs: readonly KnownRun[], { resume, decline }: Answers): Promise<void> {
  const several = runs.length > 1;
  const resumeAll = several ? vscode.l10n.t('Resume All') : vscode.l10n.t('Resume');
  const choose = vscode.l10n.t('Choose…');
  const notNow = vscode.l10n.t('Not Now');
  const { name, epoch, epochs } = first.head;
  const text = several
    ? vscode.l10n.t('{0} runs were interrupted. Finished work is kept; resume them to continue.', runs.length)
    : vscode.l10n.t('“{0}” was interrupted after {1} of {2} epochs. Finished work is kept.', name, epoch, epochs);
  const chosen = await vscode.window.showInformationMessage(text, resumeAll, ...(several ? [choose] : []), notNow);
  if (chosen === resumeAll) await resume(runs);
  else if (chosen === choose) await vscode.commands.executeCommand('genenv.resumeRun');
  else if (chosen === notNow) await decline(runs);
}

/** Make Tasks for Mode Offline…: a run's accepted tasks, or new ones of a model, as a file for experiments. */
import { basename, dirname } from 'node:path';
import * as vscode from 'vscode';
import { InputError } from '../../../launch/inputs/inputError.ts';
import { strictText } from '../../../launch/inputs/strictText.ts';
import { makeTasks, type MadeTasks, type MakeTasksAsk } from '../node/makeTasks.ts';
import { parseExperiment } from '../../../shared/experiment/parse.ts';
import type { Experiment } from '../../../shared/experiment/schema.ts';
import { requireTrust } from '../../../host/runs/steerError.ts';
import { count } from '../../../shared/text/figures/numbers.ts';
import type { CommandContext, Commands } from '../../../host/commands/context.ts';
import { pickExperiment } from '../../../host/commands/experimentFile.ts';
import { pickRun, targetOf } from '../../../host/commands/pickRun.ts';

export const makeTasksCommands = {
  makeTasks: {
    failed: () => vscode.l10n.t('The tasks were not made'),
    async run(context, argument) {
      requireTrust();
      const source = await pickSource(context, argument);
      if (source === undefined) return;
      try {
        const solved = await pickFilter();
        if (solved === undefined) return;
        const measured = solved === null ? source : await withAttempts(source);
        if (measured === undefined) return;
        const target = await pickTarget();
        if (target === undefined) return;
        const ask = { source: measured, file: target.fsPath, solved, heldOut: null, withSeeds: false };
        const made = await make(context, ask);
        // A command ends with its work; its message may stay until the user answers.
        if (made !== null) void tell(target, made);
      } finally {
        if (source.kind === 'run') await source.run.close();
      }
    },
  },
} satisfies Commands;

type Source = MakeTasksAsk['source'];

async function pickSource(context: CommandContext, argument: unknown): Promise<Source | undefined> {
  if (targetOf(argument) !== undefined) return runSource(context, argument);
  const items = [
    {
      label: `$(history) ${vscode.l10n.t('Tasks that a run accepted…')}`,
      detail: vscode.l10n.t('As people left them, with the success rates that the run measured.'),
      pick: () => runSource(context, undefined),
    },
    {
      label: `$(edit) ${vscode.l10n.t('Variations that an experiment’s environment writes now…')}`,
      detail: vscode.l10n.t('Of its seed tasks, checked as in a run.'),
      pick: () => experimentSource(false, context),
    },
    {
      label: `$(comment-discussion) ${vscode.l10n.t('Variations that another server writes now…')}`,
      detail: vscode.l10n.t('A bigger model behind an OpenAI-compatible server varies an experiment’s seed tasks.'),
      pick: () => experimentSource(true, context),
    },
  ];
  const title = vscode.l10n.t('Which tasks to train on in mode offline?');
  return (await vscode.window.showQuickPick(items, { ignoreFocusOut: true, title }))?.pick();
}

async function runSource(context: CommandContext, argument: unknown): Promise<Source | undefined> {
  const known = await pickRun(context, argument, {
    title: vscode.l10n.t('Whose tasks?'),
    fits: ({ head }) => head.imported === null && head.mode !== 'offline',
    none: vscode.l10n.t('No run has written tasks yet.'),
  });
  if (known === undefined) return undefined;
  const { store, id } = await context.folders.locate(known.dir);
  return { kind: 'run', run: await store.openReader(id), epochs: null };
}

async function experimentSource(elsewhere: boolean, { keys }: CommandContext): Promise<Source | undefined> {
  const file = await pickExperiment(undefined, vscode.l10n.t('Whose seed tasks are varied?'));
  if (file === undefined) return undefined;
  // Nothing is trained here: a server that only samples will do.
  const parsed = parseExperiment(await strictText(file.fsPath), file.fsPath, ['mode=random']);
  if ('problems' in parsed) throw new InputError(parsed.problems);
  const experiment = elsewhere ? await onServer(parsed.experiment, keys) : parsed.experiment;
  if (experiment === undefined) return undefined;
  const title = vscode.l10n.t('Variations of each seed task');
  const variations = await askNumber(title, experiment.generation.variations);
  if (variations === undefined) return undefined;
  return { kind: 'policy', experiment, directory: dirname(file.fsPath), variations, attempts: 0 };
}

async function onServer(experiment: Experiment, keys: CommandContext['keys']): Promise<Experiment | undefined> {
  const { askServer } = await import('../../../host/servers/askServer.ts');
  const server = await askServer('openai', keys);
  if (server === undefined) return undefined;
  const { url, key, model } = server;
  const environment = { kind: 'openai' as const, url, key, model, tokenizer: null, inFlight: null };
  return { ...experiment, endpoints: { ...experiment.endpoints, environment } };
}

/** Null: no filter. */
async function pickFilter(): Promise<readonly [number, number] | null | undefined> {
  const range = (low: number, high: number): { solved: readonly [number, number] } => ({ solved: [low, high] });
  const picked = await vscode.window.showQuickPick(
    [
      {
        label: vscode.l10n.t('All that verify'),
        detail: vscode.l10n.t('New, not held out, and with a gold that holds.'),
        solved: null,
      },
      {
        label: vscode.l10n.t('Those that are solved sometimes: p̂ from 0.1 to 0.9'),
        detail: vscode.l10n.t('Tasks that always or never succeed are left out: they teach the agent nothing.'),
        ...range(0.1, 0.9),
      },
      { label: vscode.l10n.t('Those near the middle: p̂ from 0.25 to 0.75'), ...range(0.25, 0.75) },
    ],
    { ignoreFocusOut: true, title: vscode.l10n.t('Which of them?') },
  );
  return picked?.solved;
}

/** The measuring policy for newly written tasks: the experiment's agent. */
async function withAttempts(source: Source): Promise<Source | undefined> {
  if (source.kind === 'run') return source;
  const title = vscode.l10n.t('Attempts of the experiment’s agent at each task');
  const attempts = await askNumber(title, source.experiment.rollouts.group);
  return attempts === undefined ? undefined : { ...source, attempts };
}

async function askNumber(title: string, usual: number): Promise<number | undefined> {
  const text = await vscode.window.showInputBox({
    ignoreFocusOut: true,
    ...{ title, value: String(usual) },
    validateInput: (typed) =>
      /^[1-9]\d{0,5}$/.test(typed.trim()) ? null : vscode.l10n.t('A whole number, 1 or more.'),
  });
  return text === undefined ? undefined : Number(text);
}

async function pickTarget(): Promise<vscode.Uri | undefined> {
  const [home] = vscode.workspace.workspaceFolders ?? [];
  return vscode.window.showSaveDialog({
    ...(home !== undefined && { defaultUri: vscode.Uri.joinPath(home.uri, 'offline.tasks.jsonl') }),
    title: vscode.l10n.t('Where do the tasks go?'),
    filters: { [vscode.l10n.t('Tasks')]: ['jsonl'] },
  });
}

/** Null when cancelled: answers are kept, and the same choices resume it. */
async function make({ dist, clock, keys, log }: CommandContext, ask: MakeTasksAsk): Promise<MadeTasks | null> {
  const title = vscode.l10n.t('Making tasks in {0}', basename(ask.file));
  const location = vscode.ProgressLocation.Notification;
  return vscode.window.withProgress({ location, title, cancellable: true }, async (progress, token) => {
    const ending = new AbortController();
    token.onCancellationRequested(() => ending.abort());
    try {
      return await makeTasks(ask, {
        ...{ dist, clock, keys, log, signal: ending.signal },
        onProgress: ({ done, total }) => progress.report({ message: `${count(done)}/${count(total)}` }),
      });
    } catch (error) {
      if (ending.signal.aborted) return null;
      throw error;
    }
  });
}

async function tell(target: vscode.Uri, { tasks, leftOut, unanswered }: MadeTasks): Promise<void> {
  const name = vscode.workspace.asRelativePath(target);
  const left = leftOut.reduce((sum, line) => sum + line.count, 0);
  const said = [
    vscode.l10n.t('{0} tasks in {1}.', count(tasks), name),
    left === 0 ? '' : vscode.l10n.t('{0} were left out; the manifest beside it says why.', count(left)),
    unanswered === null
      ? ''
      : vscode.l10n.t('{0} were not answered: make it again to ask for them.', count(unanswered.count)),
  ].filter((part) => part !== '');
  const use = vscode.l10n.t('New Experiment…');
  const open = vscode.l10n.t('Open');
  const chosen = await vscode.window.showInformationMessage(said.join(' '), use, open);
  if (chosen === open) await vscode.commands.executeCommand('vscode.open', target);
  else if (chosen === use) await vscode.commands.executeCommand('genenv.newExperiment', { tasks: target.fsPath });
}

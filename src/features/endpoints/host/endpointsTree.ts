/** The Endpoints view and its commands: by mouse, by keyboard, and from the palette. */
import * as vscode from 'vscode';
import { stepDone } from '../../../host/feedback/stepsDone.ts';
import { embeddedAssets } from '../../../endpoints/embedded/assets.ts';
import type { Keys } from '../../../launch/access/keys.ts';
import type { Failures } from '../../../host/feedback/failures.ts';
import type { RunCatalog, RunService } from '../../../host/runs/runs.ts';
import { runTargetSchema, type RunsTree } from '../../../host/trees/target.ts';
import { EndpointDrag } from './endpointDrag.ts';
import { EndpointsProvider } from './endpointsProvider.ts';
import type { HostKeys } from '../../../host/servers/hostKeys.ts';
import type { EndpointNode } from './endpointNode.ts';
import { registerCommand } from '../../../host/commands/registerCommand.ts';

export interface EndpointsDeps {
  catalog: RunCatalog;
  service: Pick<RunService, 'active' | 'onDidProgress'>;
  runsTree: RunsTree;
  failures: Failures;
  /** Keys for automatic checks of servers, which never prompt the user. */
  keys: Keys;
  /** Keys for actions of the user, which may prompt. */
  asking: HostKeys;
  /** Of this extension. */
  version: string;
  log: Pick<vscode.LogOutputChannel, 'info' | 'warn'>;
  /** The folder of built files. */
  dist: URL;
}

/** The argument of a keybinding in the view: it applies to the selected row. */
type Argument = EndpointNode | { readonly selected: true };

/** Fills the view "Endpoints". */
export function registerEndpoints(context: vscode.ExtensionContext, deps: EndpointsDeps): void {
  const provider = new EndpointsProvider(deps, embeddedAssets(deps.dist));
  const view = vscode.window.createTreeView('genenv.endpoints', {
    treeDataProvider: provider,
    dragAndDropController: new EndpointDrag(provider),
  });
  const look = (): void => provider.show(view.visible && vscode.workspace.isTrusted);
  const rowOf = (argument: Argument | undefined): EndpointNode | undefined =>
    argument !== undefined && 'selected' in argument ? view.selection[0] : argument;
  const examine = async (node: EndpointNode | undefined): Promise<void> => {
    // The code that opens endpoints is loaded with the first that is examined.
    const doctor = await import('../../doctor/host/doctorCommand.ts');
    await doctor.examine(node === undefined ? undefined : provider.serverOf(node), { ...deps, keys: deps.asking });
  };
  const reveal = async (name: string): Promise<void> => {
    await provider.settled();
    const row = provider.rowOf(name);
    if (row !== null) await view.reveal(row, { select: true, focus: true, expand: true });
  };
  const command = (id: string, failed: string, work: (node: EndpointNode | undefined) => Promise<unknown>) =>
    registerCommand(`genenv.${id}`, (argument?: Argument) =>
      deps.failures.guard(failed, async () => {
        await work(rowOf(argument));
      }),
    );
  const notChanged = vscode.l10n.t('The endpoint was not changed');
  const managing = () => import('./manageEndpoints.ts').then(({ manage }) => manage(provider, deps.asking));
  const commands = [
    command('endpointDoctor', vscode.l10n.t('The endpoint was not examined'), examine),
    command('addEndpoint', vscode.l10n.t('The endpoint was not added'), async (node) => {
      const { add, keep, check, use } = await managing();
      const server = node === undefined ? undefined : provider.serverOf(node);
      const name = server === undefined || server.remembered !== null ? await add() : await keep(server);
      if (name === undefined) return;
      void stepDone('endpoints');
      await reveal(name);
      const next = await check(name);
      if (next === 'use') await use(provider.rowOf(name) ?? undefined);
      else if (next === 'doctor') await examine(provider.rowOf(name) ?? undefined);
    }),
    command('allowEndpoint', vscode.l10n.t('The endpoint was not allowed'), async (node) =>
      (await managing()).allow(node, provider.toAllow()),
    ),
    command('editEndpoint', notChanged, async (node) => (await managing()).edit(node)),
    command('renameEndpoint', notChanged, async (node) => (await managing()).rename(node)),
    command('removeEndpoint', vscode.l10n.t('The endpoint was not removed'), async (node) =>
      (await managing()).remove(node),
    ),
    command('moveEndpointUp', notChanged, async (node) => (await managing()).move(node, -1)),
    command('moveEndpointDown', notChanged, async (node) => (await managing()).move(node, 1)),
    command('useEndpoint', vscode.l10n.t('The experiment was not changed'), async (node) =>
      (await managing()).use(node),
    ),
    command('evaluateEndpoint', vscode.l10n.t('The endpoint was not evaluated'), async (node) =>
      (await managing()).evaluate(node),
    ),
    registerCommand('genenv.refreshEndpoints', () => provider.refresh()),
    registerCommand('genenv.copyEndpointAddress', async (node?: EndpointNode) => {
      const server = node === undefined ? undefined : provider.serverOf(node);
      if (server !== undefined) await vscode.env.clipboard.writeText(server.text);
    }),
    registerCommand('genenv.setEndpointKey', async (node?: EndpointNode) => {
      const key = node === undefined ? undefined : provider.serverOf(node)?.address.key;
      const name = /^\$\{secret:(.+)\}$/.exec(key ?? '')?.[1];
      await vscode.commands.executeCommand('genenv.setKey', name);
      provider.refresh();
    }),
    registerCommand('genenv.showInRuns', (run: unknown) =>
      deps.failures.guard(vscode.l10n.t('The run was not shown'), async () => {
        await deps.runsTree.reveal(typeof run === 'string' ? { run } : runTargetSchema.parse(run));
      }),
    ),
  ];
  context.subscriptions.push(
    ...[view, provider, ...commands, deps.asking.onDidAllow(() => provider.refresh())],
    view.onDidChangeVisibility(look),
    vscode.workspace.onDidGrantWorkspaceTrust(look),
  );
  look();
}

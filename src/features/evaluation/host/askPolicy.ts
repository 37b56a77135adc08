/** The policy to evaluate: a run's agent, a saved endpoint, or the shipped embedded agent. */
import * as vscode from 'vscode';
import type { Clock } from '../../../engine/ports.ts';
import type { EvaluationRequest } from '../../../shared/records/evaluation.ts';
import { itemOf } from '../../../host/commands/pickRun.ts';
import { remembered } from '../../../host/servers/rememberedEndpoints.ts';
import type { RunCatalog } from '../../../host/runs/runs.ts';
import type { OpenRuns } from '../../../host/trees/openRuns.ts';
import type { GivenPolicy } from './given.ts';

type Policy = EvaluationRequest['policy'];

export interface PolicyNeeds {
  catalog: Pick<RunCatalog, 'runs' | 'ready'>;
  open: OpenRuns;
  clock: Clock;
}

interface Item extends vscode.QuickPickItem {
  policy: Policy;
}

/** @returns null when it was given up. @throws RunError */
export async function askPolicy(given: GivenPolicy | null, needs: PolicyNeeds): Promise<Policy | null> {
  if (given !== null && 'endpoint' in given) return { kind: 'endpoint', ...given.endpoint };
  if (given !== null) return askVersion(given, needs);
  await needs.catalog.ready;
  const now = needs.clock.now();
  const runs = needs.catalog.runs
    .filter(({ head }) => head.imported === null)
    .map((run): Item => ({ ...itemOf(run, now), policy: { kind: 'run', run: run.dir, version: null } }));
  const kept = remembered().map(({ name, endpoint }): Item => ({
    label: `$(server-environment) ${name}`,
    description: endpoint.model,
    policy: { kind: 'endpoint', name, endpoint },
  }));
  const shipped: Item = {
    label: `$(circuit-board) ${vscode.l10n.t('The embedded agent as it is shipped')}`,
    description: vscode.l10n.t('knows the words of the storekeeper only'),
    policy: { kind: 'shipped' },
  };
  const picked = await vscode.window.showQuickPick<Item>([...runs, ...kept, shipped], {
    ignoreFocusOut: true,
    title: vscode.l10n.t('Whose answers are judged?'),
    ...{ matchOnDescription: true, matchOnDetail: true },
  });
  if (picked === undefined) return null;
  return picked.policy.kind === 'run' ? askVersion({ run: picked.policy.run }, needs) : picked.policy;
}

/** Of an epoch, the version that it ended with; of a run, one that a person picks where there are several. */
async function askVersion(
  { run, epoch }: { run: string; epoch?: number | undefined },
  { open }: PolicyNeeds,
): Promise<Policy | null> {
  const { facts, followed } = await open.open(run);
  const newest = followed.state.agent?.version.name ?? 'agent@0';
  if (epoch !== undefined) {
    const version = facts.epochs.get(epoch + 1)?.versions.agent.name ?? newest;
    return { kind: 'run', run, version };
  }
  const before = [...facts.epochs.values()].map(({ versions }) => versions.agent.name);
  const names = [...new Set([newest, ...before.toReversed()])];
  if (names.length === 1) return { kind: 'run', run, version: newest };
  const items = names.map((label) => ({ label, description: label === newest ? vscode.l10n.t('the newest') : '' }));
  const picked = await vscode.window.showQuickPick(items, {
    ignoreFocusOut: true,
    title: vscode.l10n.t('Which version of the agent? Training states of older ones may have been pruned.'),
  });
  return picked === undefined ? null : { kind: 'run', run, version: picked.label };
}

/** The rows of the data pools, in the view Data. */
import * as vscode from 'vscode';
import type { KnownRun } from '../../../host/runs/runs.ts';
import { factItem as factRow } from '../../../host/trees/fact.ts';
import { rowMoment } from '../../../shared/text/figures/moments.ts';
import { count, number, rate } from '../../../shared/text/figures/numbers.ts';
import { percent } from '../../../shared/text/figures/shares.ts';
import { runIcon } from '../../../host/trees/icons.ts';
import { treeItem } from '../../../host/trees/treeItem.ts';
import { parts, stateWord } from '../../../host/trees/words.ts';
import { poolName } from '../../../host/trees/pool.ts';
import type { Growth, PoolFacts } from './poolFacts.ts';
import { admittedWords } from './admitAttempt.ts';
import type { AdmittedNode, PoolFactNode, PoolNode } from './poolNode.ts';

/** Above all runs; without one it says what fills it. */
export function poolsItem(runs: number): vscode.TreeItem {
  const label = vscode.l10n.t('Data Pools');
  const description = runs === 0 ? vscode.l10n.t('appear with the first run') : count(runs);
  const item = treeItem({
    ...{ id: 'pools', label, description, icon: new vscode.ThemeIcon('database') },
    ...{ spoken: [label, description], context: 'pools', children: runs > 0 },
  });
  item.tooltip = vscode.l10n.t(
    'Runs fill two pools: D_train with the traces the agent learns from, D_env with the tasks the environment learns to write.',
  );
  return item;
}

export function runItem({ dir, head }: KnownRun): vscode.TreeItem {
  const description = parts(
    vscode.l10n.t('epoch {0}/{1}', count(head.current), count(head.epochs)),
    rowMoment(head.startedAt),
  );
  return treeItem({
    id: dir,
    label: head.name,
    description,
    icon: runIcon(head),
    spoken: [vscode.l10n.t('Pools of run {0}', head.name), stateWord(head.state), description],
    context: 'run',
    children: true,
  });
}

const poolIcons = {
  agent: new vscode.ThemeIcon('database'),
  environment: new vscode.ThemeIcon('layers'),
  base: new vscode.ThemeIcon('library'),
};

/** @param people attempts of people in it */
export function poolItem(node: PoolNode, facts: PoolFacts, people = 0): vscode.TreeItem {
  const descriptions: Record<PoolNode['pool'], string> = {
    agent: parts(
      vscode.l10n.t('{0} traces', count(facts.agent.traces.count)),
      people === 0 ? null : vscode.l10n.t('{0} of people', count(people)),
      lately(facts.agent.traces, facts),
    ),
    environment: parts(
      vscode.l10n.t('{0} weighted tasks', count(facts.environment.count)),
      lately(facts.environment, facts),
    ),
    base: vscode.l10n.t('{0} tasks', count(facts.base)),
  };
  const meanings: Record<PoolNode['pool'], string> = {
    agent: vscode.l10n.t('Agent pool D_train: base tasks and every valid trace. The agent learns from it.'),
    environment: vscode.l10n.t(
      'Environment pool D_env: tasks the difficulty filter kept, weighted by exp(λR_env). The environment learns to write more like them.',
    ),
    base: vscode.l10n.t('The tasks the run was started with: seeds that the environment varies, and held-out ones.'),
  };
  const item = treeItem({
    id: `${node.run}#${node.pool}`,
    label: poolName(node.pool),
    description: descriptions[node.pool],
    icon: poolIcons[node.pool],
    spoken: [poolName(node.pool), descriptions[node.pool]],
    context: `pool.${node.pool}`,
    children: true,
  });
  item.tooltip = meanings[node.pool];
  return item;
}

export const factItem = ({ parent, run, name, value }: PoolFactNode): vscode.TreeItem =>
  factRow(`${run}#${parent.pool}/${name}`, name, value);

/** An attempt of a person that was added. */
export function admittedItem({ run, trace, attempt }: AdmittedNode): vscode.TreeItem {
  const label = vscode.l10n.t('Attempt of a person');
  const description = parts(attempt.task, admittedWords(attempt));
  const item = treeItem({
    ...{ id: `${run}#agent/${trace}`, label, description, icon: new vscode.ThemeIcon('person') },
    ...{ spoken: [label, description], context: 'admitted' },
  });
  item.tooltip = vscode.l10n.t(
    '{0}: its task may be drawn by later batches; nothing is learned from its words.',
    trace,
  );
  item.command = {
    ...{ title: vscode.l10n.t('Open Trace'), command: 'genenv.openTrace' },
    arguments: [{ run, trace }],
  };
  return item;
}

/** Names and values of a pool's facts. */
export function factsOf(pool: PoolNode['pool'], facts: PoolFacts, source: string): [string, string][] {
  const { base, validation, agent, environment, domains } = facts;
  const each = (told: (part: (typeof domains)[number]) => string): [string, string][] =>
    domains.map((part) => [vscode.l10n.t('Domain {0}', part.domain), told(part)]);
  switch (pool) {
    case 'agent':
      return [
        [vscode.l10n.t('Base tasks'), count(base)],
        [vscode.l10n.t('Generated tasks'), grown(agent.tasks, facts)],
        [vscode.l10n.t('Traces'), grown(agent.traces, facts)],
        ...each(({ written, attempts }) =>
          parts(vscode.l10n.t('{0} tasks written', count(written)), vscode.l10n.t('{0} attempts', count(attempts))),
        ),
      ];
    case 'environment':
      return [
        [vscode.l10n.t('Tasks'), grown(environment, facts)],
        [vscode.l10n.t('Σ weight'), Number.isFinite(environment.weight) ? number(environment.weight) : '> 10³⁰⁸'],
        [vscode.l10n.t('Effective sample size'), number(environment.effectiveSampleSize)],
        [vscode.l10n.t('Mean p̂ of their families'), rate(environment.meanSuccessRate)],
        ...each(({ environment: { instances, share, meanSuccessRate } }) =>
          parts(
            vscode.l10n.t('{0} tasks', count(instances)),
            vscode.l10n.t('mean p̂ {0}', rate(meanSuccessRate)),
            environment.weight === 0 ? null : vscode.l10n.t('{0} of the weight', percent(share)),
          ),
        ),
      ];
    case 'base':
      return [
        [vscode.l10n.t('Seed tasks'), count(base)],
        [vscode.l10n.t('Held out for validation'), count(validation)],
        [vscode.l10n.t('Source'), source],
        ...each((part) =>
          parts(
            vscode.l10n.t('{0} seed tasks', count(part.base)),
            vscode.l10n.t('{0} held out', count(part.validation)),
          ),
        ),
      ];
  }
}

/** `+55 in epoch 40` */
const lately = ({ added }: Growth, { epoch }: PoolFacts): string =>
  epoch === null || added === 0 ? '' : vscode.l10n.t('+{0} in epoch {1}', count(added), count(epoch));

const grown = (growth: Growth, facts: PoolFacts): string => parts(count(growth.count), lately(growth, facts));

/** Both policies' whole prompts for the first seed task, and whether the domain tells texts apart, before any cost. */
import * as l10n from '@vscode/l10n';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { doubtsOfWriting, type Doubt } from '../../../domains/probes.ts';
import { doubtsOfSteadyWriting } from '../../../domains/steadiness.ts';
import { tasksOfDomain } from '../../../engine/byDomain.ts';
import type { Domain } from '../../../engine/ports.ts';
import type { Experiment } from '../../../shared/experiment/schema.ts';
import { domainsOf } from '../../../shared/experiment/tasks/domains.ts';
import type { Message } from '../../../shared/records/message.ts';
import type { Task } from '../../../shared/records/task.ts';
import type { ShownPrompt } from '../contract.ts';
import { keepInputs, readInputs } from '../../../launch/inputs/inputs.ts';
import { keepDomains } from '../../../launch/domains/domainFile.ts';
import { openJudged } from '../../../launch/scoring/openJudged.ts';
import { openScorer } from '../../../launch/scoring/openScorer.ts';
import { keepReward } from '../../../launch/scoring/reward.ts';
import type { Files } from './rehearsal.ts';

/** @throws InputError, and EpisodeError where a domain file fails to write a prompt */
export async function promptsOf(
  experiment: Experiment,
  files: Pick<Files, 'inputs' | 'reward' | 'domains'>,
  dist: URL,
): Promise<{ prompts: ShownPrompt[]; doubts: Doubt[]; base: ReadonlyMap<string, number> }> {
  const dir = await mkdtemp(join(tmpdir(), 'genenv-prompts-'));
  try {
    await keepInputs(dir, files.inputs);
    await keepReward(dir, files.reward);
    await keepDomains(dir, experiment, files.domains);
    const inputs = await readInputs(dir, experiment);
    const rules = await openScorer(dist, inputs.seeds, inputs.heldOut, inputs.offline);
    const { domain, close } = await openJudged(experiment, { dir, dist, inputs, rules, asks: null });
    try {
      const base = domain.seeds('base');
      const [seed] = base;
      const task = inputs.offline?.[0] ?? seed;
      const context = seed && { seed, recentSuccess: null, target: experiment.curriculum.alpha };
      const asked =
        context === undefined || experiment.mode === 'offline'
          ? null
          : await (domain.planPrompt?.(context) ?? domain.environmentPrompt(context, null));
      const prompts: ShownPrompt[] = [
        ...(asked === null ? [] : [{ reader: 'environment' as const, text: textOf(asked) }]),
        ...(task === undefined ? [] : [{ reader: 'agent' as const, text: textOf(await domain.agentPrompt(task)) }]),
      ];
      const doubts = asked === null ? [] : await doubtsIn(domain);
      return { prompts, doubts, base: baseCounts(experiment, base) };
    } finally {
      await close();
    }
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** By the name of their domain. */
const baseCounts = (experiment: Experiment, base: readonly Task[]): Map<string, number> =>
  new Map(
    domainsOf(experiment).map(({ name }) => [
      name,
      experiment.domains === undefined ? base.length : tasksOfDomain(base, name).length,
    ]),
  );

/** Of several domains each is tried. */
async function doubtsIn(domain: Domain): Promise<Doubt[]> {
  const parts = Map.groupBy(domain.seeds('base'), ({ domain: name }) => name);
  const found: Doubt[] = [];
  for (const [name, tasks] of parts) {
    const verifies = tasks.some((task) => domain.verifies?.(task) ?? true);
    const doubts = [
      ...(await doubtsOfWriting(domain, tasks, verifies)),
      ...(await doubtsOfSteadyWriting(domain, tasks)),
    ];
    for (const doubt of doubts) {
      const { message } = doubt;
      found.push({ ...doubt, message: name === undefined ? message : l10n.t('In the domain {0}: {1}', name, message) });
    }
  }
  return found;
}

const textOf = (messages: readonly Message[]): string =>
  messages.map(({ role, content }) => `[${role}]\n${content}`).join('\n\n');

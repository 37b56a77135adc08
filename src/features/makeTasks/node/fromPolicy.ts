/** Variations of seed tasks that a policy writes now, by the run's own phases, and the attempts of an agent at them. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { sha256 } from '../../../runs/files/sha256.ts';
import { machineTime } from '../../../endpoints/time.ts';
import { careful } from '../../../engine/carefulScorer.ts';
import type { Learner } from '../../../engine/loop.ts';
import { openLoop } from '../../../engine/openLoop.ts';
import { attempt } from '../../../engine/phases/attempts/attempt.ts';
import { generate } from '../../../engine/phases/generate.ts';
import type { Domain, Policy, Ports, Progress } from '../../../engine/ports.ts';
import { emptyState } from '../../../engine/state.ts';
import { readError, writeError } from '../../../runs/files/fileErrors.ts';
import { parseJson, validate } from '../../../runs/files/parseLine.ts';
import type { Experiment } from '../../../shared/experiment/schema.ts';
import type { Unanswered } from '../../../shared/journal/events.ts';
import { codeOf } from '../../../shared/systemError.ts';
import { defined } from '../../../shared/defined.ts';
import { keepDomains, loadDomains } from '../../../launch/domains/domainFile.ts';
import { keepInputs, loadInputs, readInputs } from '../../../launch/inputs/inputs.ts';
import { leftOutLine } from '../../../shared/leftOutTasks.ts';
import { MemoryRecords } from '../../../launch/memoryRecords.ts';
import type { AgentTools } from '../../../launch/policies/newestAgent.ts';
import { openJudged } from '../../../launch/scoring/openJudged.ts';
import { openPolicy } from '../../../launch/policies/openPolicy.ts';
import { openScorer } from '../../../launch/scoring/openScorer.ts';
import { keepReward, loadReward } from '../../../launch/scoring/reward.ts';
import { Schedulers } from '../../../launch/policies/schedulers.ts';
import { keepWeights, loadWeights } from '../../../launch/policies/weightFiles.ts';
import { authorOf, type Candidate, type Leave } from './candidate.ts';
import { KeptAnswers } from './keptAnswers.ts';
import { MakeTasksError } from './makeTasksError.ts';

export interface PolicyAsk {
  experiment: Experiment;
  /** Relative file names in the experiment start here. */
  directory: string;
  /** Of each seed task. */
  variations: number;
  /** Attempts of the experiment's agent at each task; 0 for none. */
  attempts: number;
  /** Where answers are kept. */
  folder: string;
}

export interface PolicyTools extends AgentTools {
  onProgress?: (progress: Progress) => void;
  /** Once the folder is there and before anything is asked; `kept`: answers that it has already. */
  onBegun?: (folder: string, kept: number) => void;
}

/** A policy's texts. */
interface Written {
  domain: Domain;
  candidates: readonly Candidate[];
  tokens: number;
  unanswered: Unanswered | null;
}

const begunSchema = z.strictObject({
  v: z.literal(1),
  /** When it was begun: ISO 8601, UTC. */
  at: z.string(),
  /** SHA-256 of the inputs that shape the answers, a part each. */
  asked: z.record(z.string(), z.string()),
});

/**
 * Requests missing answers. @throws MakeTasksError `other`, InputError, RunError, LoopError `endpoint`, and the
 * endpoints' own errors; answers so far are kept
 */
export async function tasksOfPolicy(ask: PolicyAsk, leave: Leave, tools: PolicyTools): Promise<Written> {
  const { folder, directory, variations, attempts } = ask;
  const { dist, signal, clock, log } = tools;
  // Every text is new to the whole file, and the environment stays frozen, as in one epoch of mode `random`.
  const experiment: Experiment = {
    ...ask.experiment,
    mode: 'random',
    agent: { ...ask.experiment.agent, train: false },
    generation: { ...ask.experiment.generation, duplicates: 'run' },
  };
  const own = await loadDomains(experiment, directory, dist);
  const files = await loadInputs(experiment, directory, own, (found) => log.warn(leftOutLine(found)));
  const weights = await loadWeights(experiment, directory);
  const reward = await loadReward(experiment, directory, dist);
  const at = await begin(folder, partsOf(experiment, variations, [...files.values()]), clock.now());
  await keepInputs(folder, files);
  await keepDomains(folder, experiment, own);
  await keepWeights(folder, weights);
  await keepReward(folder, reward);
  const kept = await KeptAnswers.open(join(folder, 'answers.jsonl'), log);
  tools.onBegun?.(folder, kept.count);

  const inputs = await readInputs(folder, experiment);
  const scorer = await openScorer(dist, inputs.seeds, inputs.heldOut);
  const judged = await openJudged(experiment, { asks: tools, dist: tools.dist, dir: folder, inputs, rules: scorer });
  const { domain } = judged;
  const { time = machineTime } = tools;
  const needs = { ...tools, dir: folder, time, schedulers: new Schedulers(time) };
  const opened: Policy[] = [];
  const open = async (role: 'agent' | 'environment'): Promise<Policy> => {
    const policy = await openPolicy(experiment.endpoints[role], role, needs);
    opened.push(policy);
    return kept.around(policy, role);
  };
  const judge = attempts === 0 ? null : judged.judge;
  try {
    const environment = await learner(await open('environment'), 'environment@0');
    const asksAgain = domain.seeds('base').some((task) => domain.needsAgreement?.(task) === true);
    const answersItself = experiment.generation.agreementBy === 'agent' && asksAgain;
    const agent = attempts > 0 || answersItself ? await learner(await open('agent'), 'agent@0') : environment;
    // Everything is made again from the kept answers.
    const records = new MemoryRecords();
    const ports: Ports = {
      ...{ agent: agent.policy, environment: environment.policy, domain, scorer: careful(scorer), records, clock, log },
      ...defined({ judge: judge ?? undefined, onProgress: tools.onProgress }),
      journal: { append: () => Promise.resolve() },
      signal,
    };
    const { loop } = await openLoop(experiment, ports, emptyState, { agent, environment });
    const families = loop.base.map((seed, f) => ({
      id: `f${f}`,
      context: { seed, recentSuccess: null, target: experiment.curriculum.alpha },
      variations,
    }));
    const written = await generate(loop, 1, families);
    for (const { id, cause, status } of records.tasks)
      if (status === 'rejected') leave('rejected', `${id}: ${cause ?? ''}`);
    const tasks = records.tasks.filter(({ status }) => status === 'accepted');
    const made = await attempt(loop, {
      ...{ purpose: 'train', epoch: 1, tasks: attempts === 0 ? [] : tasks, group: attempts, minimum: 0, closed: false },
      ...{ temperature: experiment.rollouts.temperature, keepSequences: false },
    });
    const measured = new Map(
      made.groups.map(({ task, traces }) => {
        const judged = traces.filter(({ verdict }) => verdict.error === undefined);
        const successes = judged.filter(({ verdict }) => verdict.success).length;
        return [task.id, { version: agent.version.name, successes, attempts: judged.length }] as const;
      }),
    );
    const author = authorOf(experiment);
    const candidates = tasks.map((task): Candidate => {
      const found = measured.get(task.id);
      const provenance = { ...author, version: task.generation?.version ?? environment.version.name, at };
      return { task, provenance, measured: found === undefined || found.attempts === 0 ? null : found };
    });
    const missing = [written.unanswered, made.unanswered].filter((one) => one !== undefined);
    const unanswered = missing.length === 0 ? null : together(missing);
    return { domain, candidates, tokens: written.tokens + made.tokens, unanswered };
  } finally {
    await judged.close();
    await Promise.all(opened.map((policy) => policy.dispose()));
  }
}

const together = (parts: readonly Unanswered[]): Unanswered => ({
  count: parts.reduce((sum, { count }) => sum + count, 0),
  causes: parts.flatMap(({ causes }) => causes),
});

async function learner(policy: Policy, name: string): Promise<Learner> {
  const version = await policy.publish(name);
  return { policy, version, initial: { policy, version }, updates: 0 };
}

/** The inputs that answers depend on; later filters are not among them. */
function partsOf(experiment: Experiment, variations: number, files: readonly string[]): Record<string, string> {
  const { seed, domain, domains, endpoints, curriculum, generation, rollouts } = experiment;
  const { temperature, maxTokens, attempts, agreementAnswers, agreementShare, agreementBy } = generation;
  const parts = {
    seed,
    domain: domains === undefined ? { name: domain.name, baseTasks: domain.baseTasks, files } : { domains, files },
    'endpoints.environment': endpoints.environment,
    'endpoints.agent': endpoints.agent,
    'curriculum.alpha': curriculum.alpha,
    generation: { temperature, maxTokens, attempts, agreementAnswers, agreementShare, agreementBy },
    rollouts: [rollouts.temperature, rollouts.maxTokens, rollouts.maxTurns],
    variations,
  };
  return Object.fromEntries(
    Object.entries(parts).map(([name, value]) => [name, sha256(JSON.stringify(value)).slice(0, 16)]),
  );
}

/** Begins a folder, or finds that it was begun for the same. @returns when, ISO 8601 */
async function begin(folder: string, asked: Record<string, string>, now: number): Promise<string> {
  const path = join(folder, 'asked.json');
  try {
    for (const inside of ['endpoints', 'checkpoints']) await mkdir(join(folder, inside), { recursive: true });
    const begun = { v: 1, at: new Date(now).toISOString(), asked };
    await writeFile(path, `${JSON.stringify(begun, null, 2)}\n`, { flag: 'wx' });
    return begun.at;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw writeError(error, path);
  }
  const there = validate(parseJson(await textOf(path), { path }), begunSchema, 1, { path });
  const differs = Object.keys({ ...there.asked, ...asked }).filter((name) => there.asked[name] !== asked[name]);
  if (differs.length === 0) return there.at;
  const message = l10n.t('{0} keeps answers to another request: {1} differ.', folder, differs.join(', '));
  throw new MakeTasksError(
    'other',
    message,
    l10n.t('Give another --out, the settings that it was begun with, or remove it.'),
  );
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw readError(error, path);
  }
}

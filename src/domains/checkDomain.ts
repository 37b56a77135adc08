/** A domain file tried on its own seed tasks, and on texts: what a run would meet, before one is made. */
import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import type { ScorerRule } from '../benchmarks/scorerTable.ts';
import { EpisodeError } from '../engine/errors.ts';
import type { GenerationContext, Verification } from '../engine/ports.ts';
import type { Message } from '../shared/records/message.ts';
import type { Task } from '../shared/records/task.ts';
import type { Verdict } from '../shared/records/trace.ts';
import { DomainError } from './domainError.ts';
import type { DomainHost } from './domainHost.ts';
import { FileDomain } from './fileDomain.ts';

export interface DomainReport {
  /** Names of the functions that the file exports. */
  functions: readonly string[];
  seeds: number;
  /** The first prompt of each policy, whole; null where the file writes none, or fails to. */
  environmentPrompt: readonly Message[] | null;
  agentPrompt: readonly Message[] | null;
  /** Texts that were given: how many became tasks, and of the others how many for which reason. */
  texts: { given: number; tasks: number; rejected: Readonly<Record<string, number>> } | null;
  /** What a run would trip over, one sentence each. */
  problems: readonly string[];
}

export interface DomainTrial {
  file: string;
  host: DomainHost;
  tasks: readonly Task[];
  rules: ScorerRule;
  /** Texts as an environment policy might write them; null for none. */
  texts: readonly string[] | null;
}

/** Seed tasks that are tried: a file may have thousands. */
const tried = 50;

/** Reads a file of texts: JSON strings a line, else the texts themselves, one a line. */
export async function textsOf(path: string): Promise<string[]> {
  const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => {
    if (!line.startsWith('"')) return line;
    const text: unknown = JSON.parse(line);
    return typeof text === 'string' ? text : line;
  });
}

export async function checkDomain({ file, host, tasks, rules, texts }: DomainTrial): Promise<DomainReport> {
  const problems: string[] = [];
  const domain = new FileDomain(file, host, { base: tasks, heldOut: [] }, rules);
  const [first] = tasks;
  const context: GenerationContext | null =
    first === undefined ? null : { seed: first, recentSuccess: 0.5, target: 0.5 };
  const environmentPrompt =
    context === null || !host.has('environmentPrompt')
      ? null
      : await twice('environmentPrompt', problems, async () => domain.environmentPrompt(context, null));
  const agentPrompt =
    first === undefined ? null : await twice('agentPrompt', problems, async () => domain.agentPrompt(first));
  for (const task of tasks.slice(0, tried)) await tryTask(domain, host, task, problems);
  return {
    functions: host.functions,
    seeds: tasks.length,
    environmentPrompt,
    agentPrompt,
    texts: texts === null || first === undefined ? null : await tryTexts(domain, texts, first),
    problems,
  };
}

/** The same question has to have the same answer: a resumed run asks it again. */
async function twice<T>(name: string, problems: string[], ask: () => Promise<T>): Promise<T | null> {
  try {
    const [one, other] = [await ask(), await ask()];
    if (!isDeepStrictEqual(one, other)) {
      problems.push(`“${name}” is not deterministic: the same input gave two different prompts.`);
    }
    return one;
  } catch (error) {
    if (!DomainError.is(error)) throw error;
    problems.push(error.message);
    return null;
  }
}

async function tryTask(domain: FileDomain, host: DomainHost, task: Task, problems: string[]): Promise<void> {
  const verified = await domain.verify(task);
  if (!verified.ok) problems.push(`The seed task ${task.id} does not verify: ${verified.note}.`);
  try {
    await domain.environment(task)?.reset(task);
  } catch (error) {
    if (!EpisodeError.is(error)) throw error;
    problems.push(`The seed task ${task.id} cannot be begun: ${error.message}.`);
  }
  const { judge } = domain;
  if (judge === null || host.has('step') || task.gold === null) return;
  const verdictOf = async (content: string): Promise<Verdict> =>
    judge.judge(task, {
      ...{ v: 1, id: `check/${task.id}`, purpose: 'train', task: task.id, family: task.family, epoch: 0 },
      ...{ version: 'check', messages: [{ role: 'assistant', content }], sequences: [], stopReason: 'stop' },
    });
  const gold = await verdictOf(task.gold);
  if (gold.error !== undefined) problems.push(`“judge” fails on the gold of ${task.id}: ${gold.error}.`);
  else if (!gold.success) problems.push(`“judge” does not accept the gold answer of ${task.id}.`);
  const empty = await verdictOf('');
  if (empty.error === undefined && empty.success) problems.push(`“judge” accepts an empty answer to ${task.id}.`);
}

async function tryTexts(
  domain: FileDomain,
  texts: readonly string[],
  seed: Task,
): Promise<NonNullable<DomainReport['texts']>> {
  const rejected = new Map<string, number>();
  let tasks = 0;
  for (const text of texts) {
    const parsed = await domain.parseTask(text, '', seed);
    const verified: Verification = parsed.ok ? await domain.verify(parsed.draft) : parsed;
    if (verified.ok) tasks += 1;
    else rejected.set(verified.note, (rejected.get(verified.note) ?? 0) + 1);
  }
  return { given: texts.length, tasks, rejected: Object.fromEntries(rejected) };
}

/** A domain file tried on its own seed tasks, and on texts: what a run would meet, before one is made. */
import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { EpisodeError } from '../engine/errors.ts';
import { QuestionError, type Ask } from '../engine/leader.ts';
import type { GenerationContext, Verification } from '../engine/ports.ts';
import type { Message } from '../shared/records/message.ts';
import type { Task } from '../shared/records/task.ts';
import type { Verdict } from '../shared/records/trace.ts';
import type { RewardFault } from '../shared/rewards/outcome.ts';
import { DomainError } from './domainError.ts';
import type { FileDomain } from './fileDomain.ts';
import type { WatchedFunctions } from './watchedFunctions.ts';

export interface DomainReport {
  /** Names of the functions that the file exports. */
  functions: readonly string[];
  seeds: number;
  /** The first prompt of each policy, whole; null where the file writes none, or fails to. */
  environmentPrompt: readonly Message[] | null;
  agentPrompt: readonly Message[] | null;
  /** Texts that were given: how many became tasks, and of the others how many for which reason. */
  texts: { given: number; tasks: number; rejected: Readonly<Record<string, number>> } | null;
  /** What a run would trip over. */
  problems: readonly DomainProblem[];
}

/** What a run would trip over. */
export interface DomainProblem {
  /** A sentence. */
  message: string;
  /** The function that shows it. */
  call: string;
  /** The seed task that shows it; null where it is of none. */
  task: Task | null;
  /** Where it failed; null where nothing threw. */
  at: RewardFault['at'];
}

/** What is tried. */
export interface DomainUnderCheck {
  domain: FileDomain;
  functions: WatchedFunctions;
  /** Names of the functions that the file exports. */
  exported: readonly string[];
  tasks: readonly Task[];
  /** Texts as an environment policy might write them; null for none. */
  texts: readonly string[] | null;
  /** Seed tasks that are tried, the first ones: a file may have thousands. */
  most?: number;
}

/** Reads a file of texts: JSON strings a line, else the texts themselves, one a line. */
export async function textsOf(path: string): Promise<string[]> {
  const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => {
    if (!line.startsWith('"')) return line;
    const text: unknown = JSON.parse(line);
    return typeof text === 'string' ? text : line;
  });
}

export async function checkDomain(given: DomainUnderCheck): Promise<DomainReport> {
  const { domain, functions, exported, tasks, texts, most = 50 } = given;
  const check = new Check(domain, functions);
  const [first] = tasks;
  const context: GenerationContext | null =
    first === undefined ? null : { seed: first, recentSuccess: 0.5, target: 0.5 };
  const environmentPrompt =
    context === null || !functions.has('environmentPrompt')
      ? null
      : await check.twice('environmentPrompt', async () => domain.environmentPrompt(context, null));
  const agentPrompt =
    first === undefined ? null : await check.twice('agentPrompt', async () => domain.agentPrompt(first));
  for (const task of tasks.slice(0, most)) await check.task(task);
  if (first !== undefined) await check.program(first);
  return {
    functions: exported,
    seeds: tasks.length,
    environmentPrompt,
    agentPrompt,
    texts: texts === null || first === undefined ? null : await tryTexts(domain, texts, first),
    problems: check.problems,
  };
}

/** Answers that a program on trial is given. */
const mostAnswers = 32;

class Check {
  readonly problems: DomainProblem[] = [];
  readonly #domain: FileDomain;
  readonly #functions: WatchedFunctions;

  constructor(domain: FileDomain, functions: WatchedFunctions) {
    this.#domain = domain;
    this.#functions = functions;
  }

  /** The same question has to have the same answer: a resumed run asks it again. */
  async twice<T>(call: string, ask: () => Promise<T>): Promise<T | null> {
    try {
      const [one, other] = [await ask(), await ask()];
      if (!isDeepStrictEqual(one, other)) {
        this.#found(call, null, `“${call}” is not deterministic: the same input gave two different prompts.`);
      }
      return one;
    } catch (error) {
      if (!DomainError.is(error)) throw error;
      this.#found(call, null, error.message);
      return null;
    }
  }

  async task(task: Task): Promise<void> {
    const verified = await this.#domain.verify(task);
    if (!verified.ok) this.#found('verify', task, `The seed task ${task.id} does not verify: ${verified.note}.`);
    try {
      await this.#domain.environment(task)?.reset(task);
    } catch (error) {
      if (!EpisodeError.is(error)) throw error;
      this.#found('reset', task, `The seed task ${task.id} cannot be begun: ${error.message}.`);
    }
    if (this.#functions.has('step') || this.#functions.has('program') || task.gold === null) return;
    const gold = await this.#verdictOf(task, task.gold);
    if (gold === null) return;
    if (gold.error !== undefined) this.#found('judge', task, `“judge” fails on the gold of ${task.id}: ${gold.error}.`);
    else if (!gold.success) this.#found('judge', task, `“judge” does not accept the gold answer of ${task.id}.`);
    const empty = await this.#verdictOf(task, '');
    if (empty?.error === undefined && empty?.success === true) {
      this.#found('judge', task, `“judge” accepts an empty answer to ${task.id}.`);
    }
  }

  /** Starts the program of one task, whose every question is answered with its gold, or with “…”. */
  async program(task: Task): Promise<void> {
    const { leader } = this.#domain;
    if (leader === undefined) return;
    const found = (why: string): void => this.#found('program', task, `The program of ${task.id}: ${why}`);
    const text = task.gold ?? '…';
    const answer = {
      requestId: 'check',
      promptTokens: [],
      tokens: [],
      logprobs: [],
      text,
      stopReason: 'stop',
    } as const;
    let asked = 0;
    const ask: Ask = ({ n }) => {
      asked += n;
      if (asked > mostAnswers) {
        const used = `A trial gives ${mostAnswers} answers and no more.`;
        return Promise.reject(new QuestionError('turns', used));
      }
      return Promise.resolve(Array.from({ length: n }, (_, index) => ({ ...answer, index })));
    };
    try {
      const { verdict } = await leader.lead(task, `check/${task.id}`, ask, new AbortController().signal);
      if (verdict?.error !== undefined) found(verdict.error);
    } catch (error) {
      if (!EpisodeError.is(error) && !DomainError.is(error)) throw error;
      found(error.message);
    }
  }

  /** Null where the file has no judge. */
  async #verdictOf(task: Task, content: string): Promise<Verdict | null> {
    const { judge } = this.#domain;
    if (judge === null) return null;
    return judge.judge(task, {
      ...{ v: 1, id: `check/${task.id}`, purpose: 'train', task: task.id, family: task.family, epoch: 0 },
      ...{ version: 'check', messages: [{ role: 'assistant', content }], sequences: [], stopReason: 'stop' },
    });
  }

  /** At the line at which a call failed since the last problem. */
  #found(call: string, task: Task | null, message: string): void {
    const at = this.#functions.take().findLast(({ fault }) => fault !== null)?.fault?.at ?? null;
    this.problems.push({ message, call, task, at });
  }
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

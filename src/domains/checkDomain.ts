/** Tests a domain file on its own seed tasks and on texts: shows the problems of a run before it starts. */
import * as l10n from '@vscode/l10n';
import { isDeepStrictEqual } from 'node:util';
import { EpisodeError } from '../engine/errors.ts';
import { QuestionError, type Ask } from '../engine/leader.ts';
import { parseOrUndefined } from '../shared/json.ts';
import type { GenerationContext, Verification } from '../engine/ports.ts';
import { withoutMark } from '../shared/text/byteOrderMark.ts';
import { withoutThoughts } from '../shared/text/thoughts.ts';
import type { Message } from '../shared/records/message.ts';
import type { Rejection, Task } from '../shared/records/task.ts';
import type { Trace, Verdict } from '../shared/records/trace.ts';
import type { RewardFault } from '../shared/rewards/outcome.ts';
import { DomainError } from './domainError.ts';
import type { FileDomain } from './fileDomain.ts';
import { doubtsOfJudging, doubtsOfWriting } from './probes.ts';
import { doubtsOfSteadyJudging, doubtsOfSteadyWriting, unsteady } from './steadiness.ts';
import type { WatchedFunctions } from './watchedFunctions.ts';

export interface DomainReport {
  /** Names of the functions that the file exports. */
  functions: readonly string[];
  seeds: number;
  /** The first prompt of each policy, whole; null where the file writes none, or fails to. */
  environmentPrompt: readonly Message[] | null;
  agentPrompt: readonly Message[] | null;
  /** Texts that were given: how many became tasks, and of the others how many for which cause and which reason. */
  texts: {
    given: number;
    tasks: number;
    causes: Readonly<Partial<Record<Rejection, number>>>;
    rejected: Readonly<Record<string, number>>;
  } | null;
  /** Problems that a run would have. */
  problems: readonly DomainProblem[];
}

/** A problem that a run would have. */
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

/** The subject of the check. */
export interface DomainUnderCheck {
  domain: FileDomain;
  functions: WatchedFunctions;
  /** Names of the functions that the file exports. */
  exported: readonly string[];
  tasks: readonly Task[];
  /** Texts as an environment policy might write them; null for none. */
  texts: readonly string[] | null;
  /** The held-out task that a base task repeats, and in which way; null for none. */
  heldOutLike: (task: Task) => { id: string; by: string } | null;
  /** Seed tasks that are tried, the first ones: a file may have thousands. */
  most?: number;
}

/** Texts of a file: JSON strings a line, else the texts themselves, one a line. Thoughts are left out, as in a run. */
export function textsOf(file: string): string[] {
  const lines = withoutMark(file)
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '');
  return lines.map((line) => {
    // A text of its own may begin with a quotation mark, too.
    const text: unknown = line.startsWith('"') ? parseOrUndefined(line) : line;
    return withoutThoughts(typeof text === 'string' ? text : line);
  });
}

export async function checkDomain(given: DomainUnderCheck): Promise<DomainReport> {
  const { domain, functions, exported, tasks, texts, heldOutLike, most = 50 } = given;
  const check = new Check(domain, functions);
  const [first] = tasks;
  const context: GenerationContext | null =
    first === undefined ? null : { seed: first, recentSuccess: 0.5, target: 0.5 };
  const environmentPrompt =
    context === null || !(functions.has('environmentPrompt') || domain.hasRecipe)
      ? null
      : await check.twice('environmentPrompt', async () => domain.environmentPrompt(context, null));
  const agentPrompt =
    first === undefined ? null : await check.twice('agentPrompt', async () => domain.agentPrompt(first));
  for (const task of tasks.slice(0, most)) await check.task(task);
  for (const task of tasks) check.leak(task, heldOutLike);
  if (functions.has('verify')) await check.guard(tasks.slice(0, most));
  await check.doubts(tasks, texts ?? []);
  if (first !== undefined) await check.program(first);
  const written = texts === null || first === undefined ? null : await tryTexts(domain, texts, first);
  if (written !== null) check.written(written);
  return {
    ...{ functions: exported, seeds: tasks.length, environmentPrompt, agentPrompt, texts: written },
    problems: check.problems,
  };
}

/** Limit of answers to a program under test. */
const mostAnswers = 32;

/** Fewer texts may all be bad. */
const fewestTexts = 3;

const attemptOf = (task: Task, content: string): Omit<Trace, 'verdict'> => ({
  ...{ v: 1, id: `check/${task.id}`, purpose: 'train', task: task.id, family: task.family, epoch: 0 },
  ...{ version: 'check', messages: [{ role: 'assistant', content }], sequences: [], stopReason: 'stop' },
});

class Check {
  readonly problems: DomainProblem[] = [];
  readonly #domain: FileDomain;
  readonly #functions: WatchedFunctions;

  constructor(domain: FileDomain, functions: WatchedFunctions) {
    this.#domain = domain;
    this.#functions = functions;
  }

  /** The same question has to have the same answer: a resumed run asks it again. */
  async twice<T>(call: 'environmentPrompt' | 'agentPrompt', ask: () => Promise<T>): Promise<T | null> {
    try {
      const [one, other] = [await ask(), await ask()];
      if (!isDeepStrictEqual(one, other)) {
        const { message, remedy } = unsteady(call, l10n.t('the same input gave two different prompts'));
        this.#found(call, null, `${message} ${remedy}`);
      }
      return one;
    } catch (error) {
      if (!EpisodeError.is(error)) throw error;
      this.#found(call, null, error.message);
      return null;
    }
  }

  async task(task: Task): Promise<void> {
    const verified = await this.#domain.verify(task);
    if (!verified.ok)
      this.#found('verify', task, l10n.t('The seed task {0} does not verify: {1}.', task.id, verified.note));
    try {
      await this.#domain.environment(task)?.reset(task);
    } catch (error) {
      if (!EpisodeError.is(error)) throw error;
      this.#found('reset', task, l10n.t('The seed task {0} cannot be begun: {1}.', task.id, error.message));
    }
    if (this.#functions.has('step') || this.#functions.has('program') || task.gold === null) return;
    const gold = await this.#verdictOf(task, task.gold);
    if (gold === null) return;
    if (gold.error !== undefined)
      this.#found('judge', task, l10n.t('“judge” fails on the gold of {0}: {1}.', task.id, gold.error));
    else if (!gold.success)
      this.#found('judge', task, l10n.t('“judge” does not accept the gold answer of {0}.', task.id));
    const empty = await this.#verdictOf(task, '');
    if (empty?.error === undefined && empty?.success === true) {
      this.#found('judge', task, l10n.t('“judge” accepts an empty answer to {0}.', task.id));
    }
  }

  /** A run refuses to train on what measures it. */
  leak(task: Task, heldOutLike: DomainUnderCheck['heldOutLike']): void {
    const same = task.origin === 'base' ? heldOutLike(task) : null;
    if (same === null) return;
    const message = l10n.t('The task {0} is the held-out task {1}: {2}.', task.id, same.id, same.by);
    this.#found('seeds', task, message, null);
  }

  /** Where all of several seed tasks are refused, `verify` is to blame and not they. */
  async guard(tasks: readonly Task[]): Promise<void> {
    if (tasks.length < 2) return;
    for (const task of tasks) if ((await this.#domain.verify(task)).ok) return;
    this.#found(
      'verify',
      null,
      l10n.t('“verify” accepts no seed task, so no text would become a task: correct what it asks for.'),
    );
  }

  /** Functions that tell nothing apart. */
  async doubts(tasks: readonly Task[], texts: readonly string[]): Promise<void> {
    if (this.#functions.has('parse') || this.#functions.has('verify') || this.#domain.hasRecipe) {
      const found = [
        ...(await doubtsOfWriting(this.#domain, tasks, this.#functions.has('verify'))),
        ...(await doubtsOfSteadyWriting(this.#domain, tasks, texts)),
      ];
      for (const { call, message, remedy } of found) this.#found(call, null, `${message} ${remedy}`, null);
    }
    // Where they throw on what is no task they refuse it.
    this.#functions.take();
    const { judge } = this.#domain;
    if (judge === null || this.#functions.has('step') || this.#functions.has('program')) return;
    const judged = tasks.filter(({ gold }) => gold !== null);
    const asked = (task: Task, content: string): Promise<Verdict> | Verdict =>
      judge.judge(task, attemptOf(task, content));
    const said = ({ gold }: Task): string => gold ?? '';
    const found = [
      ...(await doubtsOfJudging(judged, asked, said)),
      ...(await doubtsOfSteadyJudging(judged, asked, said)),
    ];
    for (const { call, message, remedy } of found) this.#found(call, null, `${message} ${remedy}`, null);
    this.#functions.take();
  }

  /** Texts as an environment may write them, of which none is a task. */
  written({ given, tasks, rejected }: NonNullable<DomainReport['texts']>): void {
    if (given < fewestTexts || tasks > 0) return;
    const [most] = Object.entries(rejected).sort(([, a], [, b]) => b - a);
    this.#found(
      'parse',
      null,
      most === undefined
        ? l10n.t('None of {0} texts became a task: “parse” has to read what environmentPrompt asks for.', given)
        : l10n.t(
            'None of {0} texts became a task, most of them because {1}: “parse” has to read what environmentPrompt asks for.',
            given,
            most[0],
          ),
      null,
    );
  }

  /** Starts the program of one task, whose every question is answered with its gold, or with “…”. */
  async program(task: Task): Promise<void> {
    const leader = this.#domain.leaderOf?.() ?? null;
    if (leader === null) return;
    const found = (why: string): void => this.#found('program', task, l10n.t('The program of {0}: {1}', task.id, why));
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
        const used = l10n.t('A trial gives {0} answers and no more.', mostAnswers);
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
    return judge === null ? null : judge.judge(task, attemptOf(task, content));
  }

  /** At the line at which a call failed since the last problem, unless that says nothing of it. */
  #found(call: string, task: Task | null, message: string, place?: null): void {
    const failed = this.#functions.take().findLast(({ fault }) => fault !== null)?.fault?.at ?? null;
    const at = place === null ? null : failed;
    this.problems.push({ message, call, task, at });
  }
}

async function tryTexts(
  domain: FileDomain,
  texts: readonly string[],
  seed: Task,
): Promise<NonNullable<DomainReport['texts']>> {
  const rejected = new Map<string, number>();
  const causes: Partial<Record<Rejection, number>> = {};
  let tasks = 0;
  for (const text of texts) {
    const parsed = await domain.parseTask(text, '', seed);
    const verified: Verification = parsed.ok ? await domain.verify(parsed.draft) : parsed;
    if (verified.ok) tasks += 1;
    else {
      causes[verified.cause] = (causes[verified.cause] ?? 0) + 1;
      rejected.set(verified.note, (rejected.get(verified.note) ?? 0) + 1);
    }
  }
  return { given: texts.length, tasks, causes, rejected: Object.fromEntries(rejected) };
}

/** Attempts that are programs: each is started with an address at which it asks the agent, and leads itself to its end. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import * as l10n from '@vscode/l10n';
import { EpisodeError } from '../../engine/errors.ts';
import type { Ask, LedEnd, Leader } from '../../engine/leader.ts';
import { faultSentence } from '../../rewards/processes/answer.ts';
import { passedVariables } from '../../rewards/processes/program.ts';
import { judgedByDomain } from '../../shared/domains/domainFile.ts';
import { readProgram, type ProgramSpec } from '../../shared/domains/program.ts';
import type { Task } from '../../shared/records/task.ts';
import { rewardTask } from '../../shared/rewards/given.ts';
import { DomainError } from '../domainError.ts';
import type { DomainFunctions } from '../domainFunctions.ts';
import { Calls } from './calls.ts';
import { wholePaths } from './commandWords.ts';
import { Door, servedModel } from './door.ts';
import { GroupMemory } from './groupMemory.ts';
import { OrphanGuard } from './orphans.ts';
import { ProgramRun } from './programRun.ts';
import { programVerdict } from './programVerdict.ts';

interface ProgramsOf {
  /** Absolute path of the domain file. */
  file: string;
  host: DomainFunctions;
  /** Whether something else than its program judges an attempt at a task. */
  judged(task: Task): boolean;
}

/** @param rewarded whether a reward file judges. Undefined where the file has no “program” */
export function programsOf(file: string, host: DomainFunctions, rewarded: boolean): ProgramLeader | undefined {
  if (!host.has('program')) return undefined;
  const judged = ({ evaluation }: Task): boolean => rewarded || host.has('judge') || evaluation.kind !== judgedByDomain;
  return new ProgramLeader({ file, host, judged });
}

class ProgramLeader implements Leader {
  readonly atOnce = 256;
  readonly #of: ProgramsOf;
  readonly #memory = new GroupMemory();
  #open: Promise<{ door: Door; guard: OrphanGuard }> | null = null;
  #closed = false;

  constructor(of: ProgramsOf) {
    this.#of = of;
  }

  /** @throws EpisodeError for a program that cannot be made, DomainError for one that this machine has not */
  async lead(task: Task, attempt: string, ask: Ask, signal: AbortSignal): Promise<LedEnd> {
    const spec = await this.#spec(task);
    this.#open ??= this.#begin();
    const { door, guard } = await this.#open;
    const folder = await mkdtemp(join(guard.folder, 'attempt-'));
    try {
      return await this.#made(task, attempt, { ask, signal, spec, door, guard, folder });
    } finally {
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    }
  }

  /** Ends the address; programs end with the attempts that they lead. */
  close(): void {
    this.#closed = true;
    this.#open?.then(
      ({ door, guard }) => {
        door.close();
        guard.close();
      },
      () => undefined,
    );
  }

  async #made(task: Task, attempt: string, { ask, signal, spec, door, guard, folder }: Making): Promise<LedEnd> {
    const input = JSON.stringify({ attempt, ...rewardTask(task) });
    const path = join(folder, 'task.json');
    await writeFile(path, input);
    const call = new Calls(ask);
    const { key, leave } = door.admit((body, gone) => call.answer(body, gone));
    const command = wholePaths(dirname(this.#of.file), spec.command);
    const run = new ProgramRun({
      ...{ command, folder, input, limits: spec, memory: this.#memory, guard, signal },
      env: {
        ...passedVariables(),
        // A run's kept files stay unchanged.
        PYTHONDONTWRITEBYTECODE: '1',
        ...spec.env,
        ...{ OPENAI_BASE_URL: door.url, OPENAI_API_KEY: key, OPENAI_MODEL: servedModel, GENENV_TASK: path },
      },
    });
    call.run = run;
    const end = await run.ended;
    leave();
    call.end();
    signal.throwIfAborted();
    const { command: given } = spec;
    const name = `“${given.slice(0, 4).join(' ')}${given.length > 4 ? ' …' : ''}” of ${basename(this.#of.file)}`;
    if (end.how === 'missing') throw this.#missing(name, end);
    // An unanswered request is no failure of the agent, unless the program continued without it.
    const { unanswered } = call;
    const gaveUp = end.how !== 'exit' || end.code !== 0;
    if (unanswered !== null && gaveUp) throw new EpisodeError(unanswered);
    const { stopReason } = call;
    const judged = this.#of.judged(task);
    return { verdict: programVerdict({ name, end, spec, answers: call.answers, stopReason, judged }) };
  }

  /** Too many processes pass by; a program that is not there is missing for every task. */
  #missing(name: string, { why, code }: { why: string; code: string }): Error {
    const passing = ['EAGAIN', 'EMFILE', 'ENFILE', 'ENOMEM'].includes(code);
    if (passing) return new EpisodeError(l10n.t('{0} cannot be started: {1}.', name, why));
    return new DomainError(basename(this.#of.file), 'program', l10n.t('{0} cannot be started: {1}', name, why));
  }

  async #spec(task: Task): Promise<ProgramSpec> {
    const reply = await this.#of.host.call('program', rewardTask(task));
    const read = 'fault' in reply ? { fault: faultSentence(reply.fault) } : readProgram(reply.value);
    if ('fault' in read) throw new EpisodeError(`“program” of ${basename(this.#of.file)}: ${read.fault}.`);
    return read.value;
  }

  async #begin(): Promise<{ door: Door; guard: OrphanGuard }> {
    if (this.#closed) throw new Error(l10n.t('The domain was closed.'));
    return { door: await Door.open(), guard: new OrphanGuard() };
  }
}

interface Making {
  ask: Ask;
  signal: AbortSignal;
  spec: ProgramSpec;
  door: Door;
  guard: OrphanGuard;
  folder: string;
}

/** Attempts at edited tasks, requested in the editor: one at a time for each task, reported as they arrive. */
import type * as vscode from 'vscode';
import type { Keys } from '../../../launch/access/keys.ts';
import type { NowTask } from '../node/editedTasks.ts';
import { contentNames, contentOf } from '../node/taskValues.ts';
import { progressOf, ratesOf, type Reattempt } from '../../../shared/records/reattempt.ts';
import type { TasksReattempt } from '../contract.ts';
import { answerOf } from '../../../host/documents/layout/messages.ts';
import { runLog } from '../../../host/feedback/log.ts';
import { author } from '../../../launch/author.ts';
import { requireTrust } from '../../../host/runs/steerError.ts';
import { chooseAgent, type AgentNeeds } from './chooseAgent.ts';
import type { OpenedTasks } from './openTasks.ts';
import { inReadersLanguage } from '../../../launch/language.ts';
import { inWords } from '../../../shared/journal/recordedWords.ts';

export interface ReattemptNeeds extends AgentNeeds {
  dist: URL;
  keys: Keys;
  log: vscode.LogOutputChannel;
}

export class TaskReattempts implements vscode.Disposable {
  readonly #needs: ReattemptNeeds;
  readonly #running = new Map<string, AbortController>();

  constructor(needs: ReattemptNeeds) {
    this.#needs = needs;
  }

  /** @param key by which it is stopped. Resolves when it has ended. @throws SteerError, ReattemptError, RunError, InputError, and the endpoint's own errors */
  async run(
    { run, measured }: Pick<OpenedTasks, 'run' | 'measured'>,
    { now: { row, task, recorded, now }, key }: { now: NowTask; key: string },
    attempts: number,
    told: (now: TasksReattempt) => void,
  ): Promise<void> {
    requireTrust();
    if (this.#running.has(key)) return;
    const ending = new AbortController();
    this.#running.set(key, ending);
    try {
      const { reattempt } = await import('../../reattempt/node/reattempt.ts');
      const was = contentOf(recorded);
      const isEdited = contentNames.some((name) => JSON.stringify(was[name]) !== JSON.stringify(now[name]));
      const { log, ...needs } = this.#needs;
      const agent = run === null ? await chooseAgent(needs) : { run: run.followed.reader };
      if (agent === undefined) return;
      const done = await reattempt(
        {
          agent,
          task: recorded,
          edited: isEdited ? task : null,
          attempts,
          author: author(),
        },
        { ...needs, log: runLog(log), signal: ending.signal, onProgress: inReadersLanguage((one) => told(shown(one))) },
      );
      told(shown(done));
      if (isEdited && done.state === 'finished') measured(row, { version: done.version, ...ratesOf(done) });
    } finally {
      this.#running.delete(key);
    }
  }

  stop(id: string): void {
    this.#running.get(id)?.abort(new Error('Stopped.'));
  }

  dispose(): void {
    for (const id of this.#running.keys()) this.stop(id);
  }
}

function shown(one: Reattempt): TasksReattempt {
  const { task, version, state, message, traces } = one;
  return {
    ...{ task, version, state, message: message && inWords(message) },
    ...ratesOf(one),
    ...progressOf(one),
    answers: traces.after.map(({ verdict, messages }) => ({
      success: verdict.success,
      reward: verdict.reward,
      answer: answerOf(messages),
    })),
  };
}

import * as l10n from '@vscode/l10n';
import type { LocalDomain, LocalEnvironment, ParsedTask, Verification } from '../../engine/ports.ts';
import type { Message } from '../../shared/records/message.ts';
import type { Task, TaskDraft } from '../../shared/records/task.ts';
import type { ScorerRule } from '../scorerRule.ts';

/**
 * Tasks as a file gives them, of a benchmark say: posed as they are and judged by the rules that they name. Nothing
 * here knows how to write a further one, so that an environment policy has no part in it.
 */
export class GivenTasks implements LocalDomain {
  readonly name = 'given';
  readonly #tasks: readonly Task[];
  readonly #rules: ScorerRule;
  readonly #heldOut: readonly Task[];

  /** @param heldOut none where no file of them is named */
  constructor(tasks: readonly Task[], rules: ScorerRule, heldOut: readonly Task[] = []) {
    this.#tasks = tasks;
    this.#rules = rules;
    this.#heldOut = heldOut;
  }

  seeds(split: 'base' | 'validation'): readonly Task[] {
    return split === 'base' ? this.#tasks : this.#heldOut;
  }

  environmentPrompt(): readonly Message[] {
    throw new Error('Unreachable: modes that have tasks written are refused for tasks of a file.');
  }

  parseTask(): ParsedTask {
    return { ok: false, cause: 'unparseable', note: l10n.t('tasks of a file are not written by a policy') };
  }

  verify(task: TaskDraft): Verification {
    const fault = this.#rules.fault(task);
    return fault === null ? { ok: true } : { ok: false, cause: 'gold', note: fault };
  }

  fingerprint({ prompt, evaluation }: Pick<Task, 'prompt' | 'evaluation'>): string {
    return JSON.stringify([prompt.map(({ role, content }) => [role, content]), evaluation]);
  }

  agentPrompt(task: Task): readonly Message[] {
    return task.prompt;
  }

  environment(task: Task): LocalEnvironment | null {
    return this.#rules.episode?.(task) ?? null;
  }
}

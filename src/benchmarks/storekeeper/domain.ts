import * as l10n from '@vscode/l10n';
import type { GenerationContext, LocalEnvironment, ParsedTask, Verification } from '../../engine/ports.ts';
import type { Message } from '../../shared/records/message.ts';
import type { Task, TaskDraft } from '../../shared/records/task.ts';
import type { About, DomainBase } from '../recipes/recipe.ts';
import { judged, TaskFault } from '../taskFault.ts';
import { itemsOf, parseBody, renderBody } from './body.ts';
import { parseCalls, renderCalls } from './calls.ts';
import { StorekeeperEpisode } from './episode.ts';
import { checkGold, execute } from './execute.ts';
import { checkPlan, parsePlan, planOf, renderPlan } from './plan.ts';
import { authoredSeeds, maxBaseTasks, maxValidationTasks, prepareSeeds, type Seeds } from './seeds.ts';
import { environmentPrompt, planPrompt } from './storekeeper.domain.ts';
import { bodyOfPrompt, draftOf, evaluationKind, fingerprintOf, type Cue } from './task.ts';
import { successWord, turnWords } from './vocabulary.ts';

export interface StorekeeperOptions {
  /** Which base and validation tasks there are (`domain.taskSeed`). The shipped agent was warmed up on the base tasks of seed 0. */
  seed?: number;
  /** 1 … 544, or a person's own tasks. */
  baseTasks?: number | readonly Task[];
  /** 1 … 400, or a person's own tasks. */
  validationTasks?: number | readonly Task[];
  /** Pose tasks turn by turn, one call a turn, on a live store. */
  multiTurn?: boolean;
}

/** How many validation tasks of the domain's own are needed. */
const authoredOf = (validation: number | readonly Task[]): number => (typeof validation === 'number' ? validation : 0);

/**
 * A small shop's tool calls: a menu names which function serves which concept, a request asks for steps, the answer is
 * the sequence of calls that carries them out. Gold is executable, so every generated task is checked for truth.
 *
 * The environment policy's conversation: `<env>` · `s3 like rice beans` → plan `steps 4 tools 5 fillers 1` · `TASK` →
 * `MENU … REQ … CALLS first increase f3 rice 4 …`.
 */
export class StorekeeperDomain implements DomainBase {
  readonly name = 'storekeeper';
  readonly #cue: Cue;
  readonly #seeds: Seeds;

  /** @throws RangeError when more base or validation tasks are asked for than there are */
  constructor(options: StorekeeperOptions = {}) {
    const { seed = 0, baseTasks = maxBaseTasks, validationTasks = maxValidationTasks, multiTurn = false } = options;
    this.#cue = multiTurn ? 'CALL' : 'CALLS';
    const authored = authoredSeeds({
      seed,
      base: typeof baseTasks === 'number' ? baseTasks : maxBaseTasks,
      validation: authoredOf(validationTasks),
      cue: this.#cue,
    });
    const validation = typeof validationTasks === 'number' ? authored.validation : this.#repose(validationTasks, []);
    const base = typeof baseTasks === 'number' ? authored.base : this.#repose(baseTasks, validation);
    this.#seeds = { base, validation };
  }

  /** The same without holding up the thread for long. @throws as the constructor does */
  static async open(options: StorekeeperOptions): Promise<StorekeeperDomain> {
    const { seed = 0, validationTasks = maxValidationTasks, multiTurn = false } = options;
    const cue = multiTurn ? 'CALL' : 'CALLS';
    await prepareSeeds({ seed, base: maxBaseTasks, validation: authoredOf(validationTasks), cue });
    return new StorekeeperDomain(options);
  }

  seeds(split: 'base' | 'validation'): readonly Task[] {
    return this.#seeds[split];
  }

  /** The gold is executed. */
  goldFollows(): boolean {
    return true;
  }

  misfit({ evaluation: { kind } }: Pick<Task, 'evaluation'>): string | null {
    return kind === evaluationKind ? null : l10n.t('it is judged by “{0}”, and not in the storekeeper’s words', kind);
  }

  about({ seed, recentSuccess }: GenerationContext): About & Record<'success' | 'items', string> {
    const items = itemsOf(bodyOfPrompt(seed.prompt)).slice(0, 2);
    return { success: successWord(recentSuccess), items: items.join(' ') };
  }

  planPrompt(context: GenerationContext): readonly Message[] {
    return planPrompt({ about: this.about(context) });
  }

  /** The plan as it was sampled: it keeps its token ids, and stands there even where it says nothing. */
  environmentPrompt(context: GenerationContext, plan: Message | null): readonly Message[] {
    const said = environmentPrompt({ about: this.about(context), plan: plan === null ? '' : plan.content || '?' });
    return said.map((one) => (one.role === 'assistant' && plan !== null ? plan : one));
  }

  /** Grammar only; `verify` judges what the task says. */
  parseTask(text: string, plan: string): ParsedTask {
    const parsed = judged(() => {
      const all = turnWords(text);
      const end = all.indexOf('CALLS');
      if (end < 0) throw new TaskFault('unparseable', l10n.t('no CALLS after the request'));
      const body = parseBody(all.slice(0, end));
      return draftOf(body, parseCalls(all.slice(end + 1)), turnWords(plan).join(' '), this.#cue);
    });
    return parsed.ok ? { ok: true, draft: parsed.value } : parsed;
  }

  verify(task: TaskDraft): Verification {
    const verified = judged(() => {
      const body = bodyOfPrompt(task.prompt);
      if (task.plan !== '') checkPlan(body, parsePlan(turnWords(task.plan)));
      checkGold(body, task.gold);
    });
    return verified.ok ? { ok: true } : verified;
  }

  fingerprint(task: Pick<Task, 'prompt' | 'evaluation'>): string {
    return fingerprintOf(task.prompt);
  }

  agentPrompt(task: Task): readonly Message[] {
    return task.prompt;
  }

  environment(
    { evaluation }: Pick<Task, 'evaluation'> = { evaluation: { kind: evaluationKind } },
  ): LocalEnvironment | null {
    return this.#cue === 'CALL' && evaluation.kind === evaluationKind ? new StorekeeperEpisode() : null;
  }

  environmentExample(task: Task, context: GenerationContext): readonly Message[] {
    const body = bodyOfPrompt(task.prompt);
    const plan: Message = { role: 'assistant', content: renderPlan(planOf(body)) };
    const content = [...renderBody(body), 'CALLS', renderCalls(execute(body))].join(' ');
    return [...this.environmentPrompt(context, plan), { role: 'assistant', content }];
  }

  /** Tasks that a person supplied, posed this domain's way; none may be a validation task. */
  #repose(tasks: readonly Task[], validation: readonly Task[]): Task[] {
    const heldOut = new Set(validation.map((task) => fingerprintOf(task.prompt)));
    return tasks.map((task) => {
      if (heldOut.has(fingerprintOf(task.prompt))) {
        throw new TaskFault('held-out', l10n.t('base task {0} is one of the validation tasks; take it out', task.id));
      }
      const body = bodyOfPrompt(task.prompt);
      return { ...task, ...draftOf(body, execute(body), '', this.#cue) };
    });
  }
}

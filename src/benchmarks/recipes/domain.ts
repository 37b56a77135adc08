import * as l10n from '@vscode/l10n';
import type { GenerationContext, LocalEnvironment, ParsedTask, Verification } from '../../engine/ports.ts';
import type { Message } from '../../shared/records/message.ts';
import type { Task, TaskDraft } from '../../shared/records/task.ts';
import { judged } from '../taskFault.ts';
import { likenesses, Overlaps } from './overlaps.ts';
import type { About, DomainBase, Recipe } from './recipe.ts';

/** A run's arguments to its recipe. */
interface RecipeTasks {
  /** Varied, and trained on as they are. */
  base: readonly Task[];
  /** Measured on and never trained on; nothing that is written may be nearly one of them. */
  heldOut: readonly Task[];
}

/** Tasks of a benchmark, or stories: the environment policy writes new ones by a recipe. */
export class RecipeDomain implements DomainBase {
  readonly name: string;
  readonly #recipe: Recipe;
  readonly #tasks: RecipeTasks;
  #overlaps: { heldOut: Overlaps; base: Overlaps } | null = null;

  constructor(recipe: Recipe, tasks: RecipeTasks) {
    this.name = recipe.name;
    this.#recipe = recipe;
    this.#tasks = tasks;
  }

  seeds(split: 'base' | 'validation'): readonly Task[] {
    return split === 'base' ? this.#tasks.base : this.#tasks.heldOut;
  }

  needsAgreement(): boolean {
    return this.#recipe.needsAgreement;
  }

  goldFollows(): boolean {
    return this.#recipe.goldFollows === true;
  }

  misfit(task: Parameters<Recipe['misfit']>[0]): string | null {
    return this.#recipe.misfit(task);
  }

  about({ seed }: Pick<GenerationContext, 'seed'>): About {
    return this.#recipe.about?.(seed) ?? {};
  }

  environmentPrompt(context: GenerationContext): readonly Message[] {
    return this.#recipe.environmentPrompt(context);
  }

  parseTask(text: string, _plan: string, seed: Task): ParsedTask {
    const parsed = judged(() => this.#recipe.parse(text, seed));
    return parsed.ok ? { ok: true, draft: parsed.value } : parsed;
  }

  verify(draft: TaskDraft): Verification {
    const verified = judged(() => {
      this.#recipe.verify(draft);
    });
    return verified.ok ? { ok: true } : verified;
  }

  fingerprint(task: Pick<Task, 'prompt' | 'evaluation'>): string {
    return this.#recipe.fingerprint(task);
  }

  likeness(draft: TaskDraft): Verification {
    const { base, heldOut } = this.#tasks;
    this.#overlaps ??= {
      heldOut: new Overlaps(heldOut, this.#recipe, likenesses.heldOut),
      base: new Overlaps(base, this.#recipe, likenesses.base),
    };
    const held = this.#overlaps.heldOut.find(draft);
    if (held !== null)
      return { ok: false, cause: 'held-out', note: l10n.t('Nearly the held-out task {0}: {1}.', held.id, held.by) };
    if (this.#recipe.comparesBase === false) return { ok: true };
    const twin = this.#overlaps.base.find(draft);
    if (twin !== null)
      return { ok: false, cause: 'duplicate', note: l10n.t('Nearly the base task {0}: {1}.', twin.id, twin.by) };
    return { ok: true };
  }

  wording(task: Pick<Task, 'prompt'>): string {
    return this.#recipe.wording(task);
  }

  agentPrompt(task: Task): readonly Message[] {
    return this.#recipe.agentPrompt?.(task) ?? task.prompt;
  }

  environment(task: Task): LocalEnvironment | null {
    return this.#recipe.environment?.(task) ?? null;
  }
}

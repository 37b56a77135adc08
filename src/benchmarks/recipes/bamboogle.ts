/** Bamboogle: a question of two hops and its short answer, which nothing can execute. */
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import type { GenerationContext } from '../../engine/ports.ts';
import type { Message } from '../../shared/records/message.ts';
import type { Task, TaskDraft } from '../../shared/records/task.ts';
import { TaskFault } from '../taskFault.ts';
import { environmentPrompt, mostWords } from './bamboogle.domain.ts';
import { plainWords, questionOf, type Recipe } from './recipe.ts';
import { writtenForm, writtenObject } from './written.ts';
import type { ScorerRule } from '../scorerRule.ts';

const schema = z.object({ question: z.string().trim().min(1), answer: z.string().trim().min(1) });

export class BamboogleRecipe implements Recipe {
  readonly name = 'bamboogle';
  readonly kind = 'bamboogle';
  readonly needsAgreement = true;
  readonly #rule: ScorerRule;

  /** @param rule Bamboogle's own */
  constructor(rule: ScorerRule) {
    this.#rule = rule;
  }

  misfit({ evaluation, gold }: Parameters<Recipe['misfit']>[0]): string | null {
    if (evaluation.kind !== this.kind)
      return l10n.t('it is judged by “{0}”, not as an answer of Bamboogle', evaluation.kind);
    return gold === null ? l10n.t('it has no gold') : null;
  }

  about(seed: Task) {
    return { question: questionOf(seed), answer: seed.gold ?? '' };
  }

  environmentPrompt(context: GenerationContext): readonly Message[] {
    return environmentPrompt({ ...context, about: this.about(context.seed) });
  }

  parse(text: string, seed: Task): TaskDraft {
    const { question, answer } = writtenForm(writtenObject(text), schema);
    const instructions = seed.prompt.filter(({ role }) => role === 'system');
    return {
      prompt: [...instructions, { role: 'user', content: question }],
      evaluation: seed.evaluation,
      gold: answer,
      complexity: { words: plainWords(question).split(' ').length },
      plan: '',
    };
  }

  verify(draft: TaskDraft): void {
    const question = questionOf(draft);
    const gold = draft.gold ?? '';
    if (!question.trimEnd().endsWith('?')) throw new TaskFault('schema', l10n.t('the question does not end with “?”'));
    const words = plainWords(gold);
    const count = words === '' ? 0 : words.split(' ').length;
    if (count === 0 || count > mostWords)
      throw new TaskFault('gold', l10n.t('the answer has {0} words, not 1 to {1}', count, mostWords));
    if (` ${plainWords(question)} `.includes(` ${words} `))
      throw new TaskFault('gold', l10n.t('the question says its answer'));
    const fault = this.#rule.fault(draft);
    if (fault !== null) throw new TaskFault('gold', l10n.t('the task cannot be judged: {0}', fault));
    const content = this.#rule.goldAnswer(draft) ?? gold;
    const { success } = this.#rule.score(draft, { messages: [{ role: 'assistant', content }], stopReason: 'stop' });
    if (!success)
      throw new TaskFault('gold', l10n.t('the answer does not match itself: it is of articles and punctuation alone'));
  }

  wording(task: Pick<Task, 'prompt'>): string {
    return questionOf(task);
  }

  /** Another question may well have the same answer. */
  key(): null {
    return null;
  }

  fingerprint(task: Pick<Task, 'prompt'>): string {
    return plainWords(questionOf(task));
  }
}

/** A scorer of a named rule: reads the answer as the task says, and judges it against the task's gold. */
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { answerSchema, type AnswerSpec } from '../shared/adapters/answer.ts';
import type { Scorer } from '../engine/ports.ts';
import type { Verdict } from '../shared/records/trace.ts';
import { sayAnswer } from './adapter/answers/sayAnswer.ts';
import { lastTurn, parseAnswer } from './adapter/answers/parseAnswer.ts';
import { Unfit, type Judgement, type Rule } from './rules/rule.ts';
import type { ScorerRule } from './scorerRule.ts';

/** The fields of every such rule's evaluation spec, beside the rule's own options. */
const common = z.looseObject({
  answer: answerSchema,
  /** Further answers that are right: the best judgement counts. */
  accept: z.array(z.string()).optional(),
});

type Judged = Parameters<Scorer['score']>[0];
type Attempted = Parameters<Scorer['score']>[1];

/** Success and reward are the rule's; valid is what is finished and could be read. */
export class AnswerScorer<Options, G> implements ScorerRule {
  readonly #rule: Rule<Options, G>;
  readonly #options: z.ZodType<Options>;

  /** @param options of the rule, read from an evaluation spec that holds more */
  constructor(rule: Rule<Options, G>, options: z.ZodType<Options>) {
    this.#rule = rule;
    this.#options = options;
  }

  fault(task: Judged): string | null {
    try {
      this.#read(task);
      return null;
    } catch (error) {
      if (error instanceof Unfit) return error.message;
      throw error;
    }
  }

  goldAnswer(task: Judged): string | null {
    if (this.fault(task) !== null) return null;
    const { answer, golds, options } = this.#read(task);
    const [first] = golds;
    const text = first === undefined || this.#rule.spoken === undefined ? task.gold : this.#rule.spoken(first, options);
    return text === null ? null : sayAnswer(text, answer);
  }

  score(task: Judged, { messages, stopReason }: Attempted): Verdict {
    let read;
    try {
      read = this.#read(task);
    } catch (error) {
      if (error instanceof Unfit) return { success: false, reward: 0, valid: false, error: error.message };
      throw error;
    }
    if (stopReason === 'length') return failed(l10n.t('the answer was cut off'));
    const parsed = parseAnswer(lastTurn(messages), read.answer);
    if (!parsed.ok) return failed(parsed.note);
    try {
      const { golds, options } = read;
      return best(golds.map((gold) => this.#rule.judge(parsed.value, gold, options)));
    } catch (error) {
      if (error instanceof Unfit) return failed(error.message);
      throw error;
    }
  }

  /** @throws Unfit when no answer could be judged */
  #read({ evaluation, gold }: Judged): { answer: AnswerSpec; options: Options; golds: G[] } {
    const spec = common.safeParse(evaluation);
    const options = this.#options.safeParse(evaluation);
    if (!spec.success) throw new Unfit(complaint(spec.error));
    if (!options.success) throw new Unfit(complaint(options.error));
    const { answer, accept = [] } = spec.data;
    const all = [...(gold === null ? [] : [gold]), ...accept];
    if (this.#rule.golden && all.length === 0) throw new Unfit(l10n.t('the rule “{0}” needs a gold', evaluation.kind));
    const texts = this.#rule.golden ? all : [''];
    return { answer, options: options.data, golds: texts.map((one) => this.#rule.readGold(one, options.data)) };
  }
}

const failed = (note: string): Verdict => ({ success: false, reward: 0, valid: false, note });

function best(judgements: readonly Judgement[]): Verdict {
  const [first, ...rest] = judgements;
  if (first === undefined) throw new Error('Unreachable: a rule judges by at least one gold.');
  return { ...rest.reduce((most, one) => (one.reward > most.reward ? one : most), first), valid: true };
}

function complaint({ issues }: z.ZodError): string {
  const [issue] = issues;
  return issue === undefined
    ? l10n.t('the evaluation is not as its rule needs it')
    : `evaluation.${issue.path.map(String).join('.')}: ${issue.message}`;
}

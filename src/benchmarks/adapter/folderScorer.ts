/** Tasks of an adapter that are judged by what a folder of their benchmark holds: `evaluation.data` names it. */
import * as l10n from '@vscode/l10n';
import type * as z from 'zod';
import type { Scorer } from '../../engine/ports.ts';
import type { AnswerSpec } from '../../shared/adapters/answer.ts';
import type { Verdict } from '../../shared/records/trace.ts';
import { lastTurn, parseAnswer } from './answers/parseAnswer.ts';
import type { ParsedAnswer } from './answers/parsedAnswer.ts';
import { sayAnswer } from './answers/sayAnswer.ts';
import type { ScorerRule } from '../scorerRule.ts';

interface FolderSpec {
  answer: AnswerSpec;
  /** The benchmark's folder, absolute. */
  data: string;
}

export interface FolderRule<Spec extends FolderSpec, Data> {
  /** Of a task's `evaluation`. */
  schema: z.ZodType<Spec>;
  /** @throws OptionError naming the file that is missing */
  read(folder: string): Promise<Data>;
  /** A right answer by this gold, before it is put into the answer's form; null for none. */
  goldOf(gold: string): string | null;
  /** @param value null where the answer could not be read */
  judge(spec: Spec, value: unknown, data: Data): Verdict;
}

type Judged = Parameters<Scorer['score']>[0];

export class FolderScorer<Spec extends FolderSpec, Data> implements ScorerRule {
  readonly #rule: FolderRule<Spec, Data>;
  readonly #data: ReadonlyMap<string, Data>;

  private constructor(rule: FolderRule<Spec, Data>, data: ReadonlyMap<string, Data>) {
    this.#rule = rule;
    this.#data = data;
  }

  /** @param folders that are read @throws what the rule's `read` throws */
  static async open<Spec extends FolderSpec, Data>(
    rule: FolderRule<Spec, Data>,
    folders: Iterable<string>,
  ): Promise<FolderScorer<Spec, Data>> {
    const data = new Map<string, Data>();
    for (const folder of folders) data.set(folder, await rule.read(folder));
    return new FolderScorer(rule, data);
  }

  fault({ evaluation }: Judged): string | null {
    const { error } = this.#rule.schema.safeParse(evaluation);
    const issue = error?.issues[0];
    return issue === undefined ? null : `evaluation.${issue.path.join('.')}: ${issue.message}`;
  }

  goldAnswer({ evaluation, gold }: Judged): string | null {
    const spec = this.#rule.schema.safeParse(evaluation).data;
    const text = gold === null ? null : this.#rule.goldOf(gold);
    return spec === undefined || text === null ? null : sayAnswer(text, spec.answer);
  }

  score({ evaluation }: Judged, { messages, stopReason }: Parameters<Scorer['score']>[1]): Verdict {
    const spec = this.#rule.schema.safeParse(evaluation).data;
    const data = this.#data.get(spec?.data ?? '');
    if (spec === undefined || data === undefined) {
      const error =
        spec === undefined ? (this.fault({ evaluation, gold: null }) ?? '') : l10n.t('{0} was not read', spec.data);
      return { success: false, reward: 0, valid: false, error };
    }
    const parsed: ParsedAnswer =
      stopReason === 'length'
        ? { ok: false, note: l10n.t('the answer was cut off') }
        : parseAnswer(lastTurn(messages), spec.answer);
    const verdict = this.#rule.judge(spec, parsed.ok ? parsed.value : null, data);
    return parsed.ok ? verdict : { ...verdict, valid: false, note: parsed.note };
  }
}

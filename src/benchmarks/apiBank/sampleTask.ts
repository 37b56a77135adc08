/** Samples of API-Bank's dialogues as tasks of an adapter: a call is executed, a response compared word by word. */
import * as z from 'zod';
import type { Scorer } from '../../engine/ports.ts';
import { answerSchema } from '../../shared/adapters/answer.ts';
import type { Verdict } from '../../shared/records/trace.ts';
import { lastTurn, parseAnswer } from '../adapter/answers/parseAnswer.ts';
import { sayAnswer } from '../adapter/answers/sayAnswer.ts';
import type { ScorerRule } from '../scorerTable.ts';
import { findCall } from './callText.ts';
import { turnSchema, type Turn } from './dialogue.ts';
import { isRightCall } from './execute.ts';
import { rougeL } from './rouge.ts';
import { readTables, type Tables } from './tools/tables.ts';

const specSchema = z.object({
  answer: answerSchema,
  /** The benchmark's folder, absolute. */
  data: z.string(),
  /** The turn to come. */
  truth: turnSchema,
});

type Judged = Parameters<Scorer['score']>[0];

/** A call is right or wrong. A response is right when it has the truth's words; its reward is ROUGE-L's F. */
export class SampleScorer implements ScorerRule {
  readonly #tables: ReadonlyMap<string, Tables>;

  private constructor(tables: ReadonlyMap<string, Tables>) {
    this.#tables = tables;
  }

  /** @param folders whose `init_database` is read @throws OptionError naming the table that is missing */
  static async open(folders: Iterable<string>): Promise<SampleScorer> {
    const tables = new Map<string, Tables>();
    for (const folder of folders) tables.set(folder, await readTables(folder));
    return new SampleScorer(tables);
  }

  fault({ evaluation }: Judged): string | null {
    const { error } = specSchema.safeParse(evaluation);
    const issue = error?.issues[0];
    return issue === undefined ? null : `evaluation.${issue.path.join('.')}: ${issue.message}`;
  }

  goldAnswer({ evaluation, gold }: Judged): string | null {
    const spec = specSchema.safeParse(evaluation).data;
    return spec === undefined || gold === null ? null : sayAnswer(gold, spec.answer);
  }

  score({ evaluation }: Judged, { messages, stopReason }: Parameters<Scorer['score']>[1]): Verdict {
    const spec = specSchema.safeParse(evaluation).data;
    const tables = this.#tables.get(spec?.data ?? '');
    if (spec === undefined || tables === undefined) {
      const error = spec === undefined ? (this.fault({ evaluation, gold: null }) ?? '') : `${spec.data} was not read`;
      return { success: false, reward: 0, valid: false, error };
    }
    const parsed = stopReason === 'length' ? cutOff : parseAnswer(lastTurn(messages), spec.answer);
    const text = parsed.ok && typeof parsed.value === 'string' ? parsed.value : '';
    const verdict = spec.truth.role === 'API' ? called(text, spec.truth, tables) : responded(text, spec.truth);
    return parsed.ok ? verdict : { ...verdict, valid: false, note: parsed.note };
  }
}

const cutOff = { ok: false, note: 'the answer was cut off' } as const;

function called(text: string, truth: Extract<Turn, { role: 'API' }>, tables: Tables): Verdict {
  if (isRightCall(text, truth, tables)) return { success: true, reward: 1, valid: true };
  const name = findCall(text)?.name ?? null;
  const note =
    name === null
      ? 'the answer holds no call'
      : name === truth.api_name
        ? `${name} does not give what the dialogue has`
        : `${truth.api_name} is to be called, not ${name}`;
  return { success: false, reward: 0, valid: name !== null, note };
}

function responded(text: string, truth: Exclude<Turn, { role: 'API' }>): Verdict {
  const score = rougeL(truth.text, text);
  const verdict = { success: score === 1, reward: score, valid: true, parts: { rougeL: score } };
  return verdict.success ? verdict : { ...verdict, note: `ROUGE-L is ${score}` };
}

/** A rule that judges one parsed answer against what is right. */
import * as l10n from '@vscode/l10n';
import { parseExactly } from '../../shared/json.ts';

/** A rule's verdict on an answer. */
export interface Judgement {
  success: boolean;
  /** 0…1. */
  reward: number;
  /** Further figures, for charts. */
  parts?: Record<string, number>;
  /** Why, where that is not plain: a clause. */
  note?: string;
}

/** The answer, or the gold, is not what the rule can compare; says so in a clause. */
export class Unfit extends Error {
  readonly reason = 'unfit';
  override readonly name = 'Unfit';
}

/** `G`: what the rule compares with, read from a gold once. */
export interface Rule<Options, G> {
  /** False where the options say all there is: tasks may have no gold. */
  readonly golden: boolean;
  /** @throws Unfit when no answer could be judged by this gold */
  readGold(gold: string, options: Options): G;
  /** The gold as the answer's own words, where these are others than the gold's; null where they cannot be told. */
  spoken?(gold: G, options: Options): string | null;
  /** @throws Unfit when the answer is of another form */
  judge(answer: unknown, gold: G, options: Options): Judgement;
}

/** An answer as the text that text rules compare. */
export const answerText = (answer: unknown): string => (typeof answer === 'string' ? answer : JSON.stringify(answer));

/** An answer as a JSON value: parsed already, or still its text. @throws Unfit */
export function answerJson(answer: unknown): unknown {
  if (typeof answer !== 'string') return answer;
  const value = parseExactly(answer);
  if (value === undefined) throw new Unfit(l10n.t('the answer is not JSON, or is nested too deeply'));
  return value;
}

/** Success is all there is to it. */
export const passed = (success: boolean, note: () => string): Judgement =>
  success ? { success, reward: 1 } : { success, reward: 0, note: note() };

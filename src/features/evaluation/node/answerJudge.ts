/** A model behind an endpoint that judges answers, beside the rule's own figures. */
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { lastTurn, parseAnswer } from '../../../benchmarks/adapter/answers/parseAnswer.ts';
import { compileTemplate } from '../../../benchmarks/adapter/template.ts';
import { judgeInstructions, judgeQuestion, readJudgement } from '../../../benchmarks/bamboogle/judge.ts';
import type { FailedCompletion, Judge, Policy, PolicyVersion, Scorer } from '../../../engine/ports.ts';
import { seedFrom } from '../../../engine/random.ts';
import { hasFailed } from '../../../engine/unanswered.ts';
import { answerSchema } from '../../../shared/adapters/answer.ts';
import type { ScorerSpec } from '../../../shared/adapters/scorer.ts';
import type { Message } from '../../../shared/records/message.ts';
import type { Task } from '../../../shared/records/task.ts';
import type { Trace, Verdict } from '../../../shared/records/trace.ts';
import type { Completion } from '../../../engine/completion.ts';

type JudgePrompt = NonNullable<Extract<ScorerSpec, { kind: 'bamboogle' }>['judge']>;

/** Thoughts and a word. */
const longestReply = 512;

const specSchema = z.looseObject({ answer: answerSchema });

export interface JudgeModel {
  policy: Policy;
  version: PolicyVersion;
  /** The adapter's; ToolRL's when it has none. */
  prompt: JudgePrompt | undefined;
  seed: number;
  signal: AbortSignal;
}

/**
 * The model's verdict decides success; the rule's figures are kept beside it. Attempts without a readable answer are
 * not sent to it.
 */
export class AnswerJudge implements Judge {
  readonly #model: JudgeModel;
  readonly #rules: Scorer;

  constructor(model: JudgeModel, rules: Scorer) {
    this.#model = model;
    this.#rules = rules;
  }

  async judge(task: Task, trace: Omit<Trace, 'verdict'>): Promise<Verdict> {
    const verdict = this.#rules.score(task, trace);
    const answer = answerOf(task, trace);
    if (!verdict.valid || answer === null) return verdict;
    const reply = await this.#reply(task, trace.id, answer);
    const { note, ...measured } = verdict;
    const unjudged = { ...measured, success: false, reward: 0 };
    if (hasFailed(reply)) return { ...unjudged, error: l10n.t('the judge did not answer: {0}', reply.failure) };
    const output = reply.text;
    const judgement = readJudgement(output);
    if (judgement === null)
      return { ...unjudged, error: l10n.t('the judge’s reply has no thought and judgment'), output };
    const parts = { ...measured.parts, judge: Number(judgement) };
    const judged = { ...measured, success: judgement, reward: Number(judgement), parts, output };
    return judgement || note === undefined ? judged : { ...judged, note };
  }

  async #reply(task: Task, id: string, answer: string): Promise<Completion | FailedCompletion> {
    const { policy, version, prompt, seed, signal } = this.#model;
    const question = task.prompt.findLast(({ role }) => role === 'user')?.content ?? '';
    const gold = task.gold ?? '';
    const asked =
      prompt === undefined
        ? judgeQuestion(question, gold, answer)
        : compileTemplate(prompt.question).render({ values: { question, gold, answer }, texts: new Map() });
    const request = {
      id: `judge/${id}`,
      messages: [
        { role: 'system', content: prompt?.instructions ?? judgeInstructions },
        { role: 'user', content: asked },
      ] satisfies Message[],
      ...{ n: 1, seed: seedFrom(seed, 'judge', id), maxTokens: longestReply, temperature: 0 },
    };
    for await (const reply of policy.sample(version, [request], signal)) return reply;
    return { requestId: request.id, index: 0, failure: l10n.t('the endpoint gave no completion.') };
  }
}

/** The answer that the rule compares; null where none can be read. */
function answerOf({ evaluation }: Task, { messages }: Pick<Trace, 'messages'>): string | null {
  const spec = specSchema.safeParse(evaluation).data;
  const parsed = spec === undefined ? null : parseAnswer(lastTurn(messages), spec.answer);
  if (parsed === null || !parsed.ok) return null;
  return typeof parsed.value === 'string' ? parsed.value : JSON.stringify(parsed.value);
}

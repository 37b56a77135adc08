/** A policy that replays texts: answers of a file, or the official ones. */
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import type { Capabilities, FailedCompletion, Policy, PolicyVersion, SampleRequest } from '../../../engine/ports.ts';
import { traceId } from '../../../engine/phases/attempts/attemptPlan.ts';
import { parseSaid } from '../../../shared/json.ts';
import { withoutMark } from '../../../shared/text/byteOrderMark.ts';
import { apart, type Thought } from '../../../shared/text/thoughts.ts';
import { codeOf } from '../../../shared/systemError.ts';
import { EvaluationError } from './evaluationError.ts';
import type { Completion } from '../../../engine/completion.ts';
import { strictText } from '../../../launch/inputs/strictText.ts';

const ofTask = {
  /** Of the task. */
  id: z.string(),
  /** Which attempt, from 0; absent, it is the answer of every attempt. */
  index: z.int().nonnegative().optional(),
};
const answerSchema = z.union([
  z.strictObject({ ...ofTask, text: z.string() }),
  /** Of a task that takes more than one turn. */
  z.strictObject({ ...ofTask, turns: z.array(z.string()).min(1) }),
]);

/** The turns of an attempt, and null where there is none. */
export type AnswerOf = (task: string, index: number) => readonly Thought[] | null;

export interface Answers {
  text: string;
  answerOf: AnswerOf;
  /** Whose answers stand there, each once, and which attempt's; null for that of every attempt. */
  of: readonly { id: string; index: number | null }[];
  /** Lines that another one further down replaces. */
  replaced: number;
}

/** One JSON object a line. Thoughts are kept apart, as in the answers of an endpoint. @throws EvaluationError `answers` */
export async function readAnswers(path: string): Promise<Answers> {
  let text: string;
  try {
    text = await strictText(path);
  } catch (error) {
    if (codeOf(error) === '') throw error;
    throw new EvaluationError(
      'answers',
      l10n.t('{0} cannot be read.', path),
      l10n.t('Give a file of {"id", "text"} lines.'),
    );
  }
  const answers = new Map<string, readonly Thought[]>();
  const of: { id: string; index: number | null }[] = [];
  let replaced = 0;
  for (const [at, line] of withoutMark(text).split('\n').entries()) {
    if (line.trim() === '') continue;
    const parsed = answerSchema.safeParse(parseSaid(line));
    if (!parsed.success) {
      const message = l10n.t(
        '{0}:{1} is no answer: {2}.',
        path,
        at + 1,
        parsed.error.issues[0]?.message ?? l10n.t('not as expected'),
      );
      throw new EvaluationError(
        'answers',
        message,
        l10n.t('Each line is {"id": task, "text": answer}, "index" if need be, "turns" for more than one.'),
      );
    }
    const { id, index = null } = parsed.data;
    const key = keyOf(id, index);
    if (answers.has(key)) replaced += 1;
    else of.push({ id, index });
    const turns = 'text' in parsed.data ? [parsed.data.text] : parsed.data.turns;
    answers.set(
      key,
      turns.map((one) => apart(one, null)),
    );
  }
  const answerOf: AnswerOf = (task, index) => answers.get(keyOf(task, index)) ?? answers.get(keyOf(task, null)) ?? null;
  return { text, answerOf, of, replaced };
}

const keyOf = (task: string, index: number | null): string => JSON.stringify([task, index]);

/** Frozen; a task without an answer is yielded as unanswered. */
export class AnswersPolicy implements Policy {
  readonly capabilities: Capabilities = {
    ...{ mode: 'frozen', losses: [], score: false, reduction: 'sum', maxContext: Infinity, concurrency: 1 },
    deterministic: true,
  };
  readonly #answerOf: AnswerOf;
  readonly #silence: string;
  /** Attempts in progress, by the ids of their later turns' requests. */
  readonly #open = new Map<string, { task: string; attempt: number; turn: number }>();

  /** @param silence why a task has no answer, the same for all, for users */
  constructor(answerOf: AnswerOf, silence: string) {
    this.#answerOf = answerOf;
    this.#silence = silence;
  }

  publish(name: string): Promise<PolicyVersion> {
    return Promise.resolve({ name, handle: name });
  }

  async *sample(
    _version: PolicyVersion,
    requests: readonly SampleRequest[],
    signal: AbortSignal,
  ): AsyncIterable<Completion | FailedCompletion> {
    for (const { id, n, only } of requests) {
      const open = this.#open.get(id);
      for (const index of only ?? Array.from({ length: n }, (_, i) => i)) {
        signal.throwIfAborted();
        const { task, attempt, turn } = open ?? { task: id, attempt: index, turn: 0 };
        const said = this.#answerOf(task, attempt)?.[turn];
        if (said === undefined) yield { requestId: id, index, failure: this.#silence };
        else {
          const later = traceId({ purpose: 'benchmark', epoch: 0 }, task, attempt);
          this.#open.set(later, { task, attempt, turn: turn + 1 });
          yield { requestId: id, index, promptTokens: [], tokens: [], logprobs: [], ...said, stopReason: 'stop' };
        }
      }
    }
    await Promise.resolve();
  }

  checkpoint(): Promise<never> {
    return Promise.reject(new Error('Unreachable: nothing is trained on answers of a file.'));
  }

  restore(): Promise<never> {
    return Promise.reject(new Error('Unreachable: nothing is trained on answers of a file.'));
  }

  dispose(): Promise<void> {
    return Promise.resolve();
  }
}

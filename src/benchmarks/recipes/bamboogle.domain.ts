/**
 * Bamboogle: a question of two hops and its short answer. What is written is read, checked and judged by GenEnv's recipe
 * of this name, wherever this file has no function of its own (docs/domains.md, “Benchmarks' recipes”).
 */
import { asking, type Context } from './asking.ts';

export const recipe = 'bamboogle';

/** Words of an answer: a name, a number, a date. */
export const mostWords = 8;

const form = `The object has two members:
"question": a question that takes two facts to answer, one found by way of the other, as in "On which river does the city stand in which Franz Kafka was born?". It has one right answer, which does not change with time, and does not say it.
"answer": that answer alone, a name, a number, a date or a few words, at most ${mostWords}.`;

/** The environment policy's prompt. */
export function environmentPrompt(context: Context<'question' | 'answer'>) {
  const { question, answer } = context.about;
  return asking(context, { form, seed: `The seed task:\n${JSON.stringify({ question, answer })}` });
}

/**
 * The storekeeper, in its language of 64 words. What is written is read, executed and judged by GenEnv's domain of this
 * name, wherever this file has no function of its own (docs/domains.md, “Benchmarks' recipes”).
 */

interface Message {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

interface Context {
  /** How often the agent solved its latest tasks, as a word `s0` to `s10` or `s?`; and two items of the seed task. */
  about: Record<'success' | 'items', string>;
}

export const recipe = 'storekeeper';

/** Asks for the plan that all variations of a family share. */
export const planPrompt = ({ about }: Context): Message[] => [
  { role: 'system', content: '<env>' },
  { role: 'user', content: [about.success, 'like', about.items].join(' ') },
];

/** The environment policy's prompt before it writes one variation. */
export const environmentPrompt = (context: Context & { plan: string }): Message[] => [
  ...planPrompt(context),
  ...(context.plan === '' ? [] : [{ role: 'assistant' as const, content: context.plan }]),
  { role: 'user', content: 'TASK' },
];

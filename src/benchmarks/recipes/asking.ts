/**
 * The part of the prompt that all recipes share: how hard the new task should be, and the form to write it in. This
 * file is copied beside recipes that people edit, so it imports nothing.
 */

interface Message {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

/** The input of a recipe's prompt. `about` is text that GenEnv reads off the seed task, by name. */
export interface Context<Told extends string = string> {
  /** Share of its latest attempts that the agent solved; null before anything was measured. */
  recentSuccess: number | null;
  /** α: the share that it is to solve. */
  target: number;
  about: Record<Told, string>;
}

const percent = (share: number): string => `${Math.round(100 * share)} %`;

/** How hard, in a sentence; what was measured stands there only where something was. */
export function difficulty({ recentSuccess, target }: Pick<Context, 'recentSuccess' | 'target'>): string {
  const wanted = `The agent should solve the new task in about ${percent(target)} of its attempts.`;
  if (recentSuccess === null) return wanted;
  const change = recentSuccess > target ? 'Make it harder than the seed' : 'Make it easier than the seed';
  const near = Math.abs(recentSuccess - target) < 0.05 ? 'Keep about this difficulty' : change;
  return `${wanted} Lately it solved ${percent(recentSuccess)} of them. ${near}.`;
}

/** One question to the environment: rules of the form first, then the seed. */
export function asking(
  context: Pick<Context, 'recentSuccess' | 'target'>,
  { form, seed }: { form: string; seed: string },
): Message[] {
  const system =
    'You write new tasks for an agent, each a variation of a seed task: other facts, names and numbers, or another ' +
    'thing asked for, never the seed again in other words. Answer with one JSON object and nothing else.';
  return [
    { role: 'system', content: `${system}\n\n${form}` },
    { role: 'user', content: `${seed}\n\n${difficulty(context)}` },
  ];
}

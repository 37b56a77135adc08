/** What every recipe tells the environment: how hard the new task is to be, and in what form it writes. */
import type { GenerationContext } from '../../engine/ports.ts';
import type { Message } from '../../shared/records/message.ts';

const percent = (share: number): string => `${Math.round(100 * share)} %`;

/** How hard, in a sentence; what was measured stands there only where something was. */
function difficulty({ recentSuccess, target }: Pick<GenerationContext, 'recentSuccess' | 'target'>): string {
  const wanted = `The agent should solve the new task in about ${percent(target)} of its attempts.`;
  if (recentSuccess === null) return wanted;
  const change = recentSuccess > target ? 'Make it harder than the seed' : 'Make it easier than the seed';
  const near = Math.abs(recentSuccess - target) < 0.05 ? 'Keep about this difficulty' : change;
  return `${wanted} Lately it solved ${percent(recentSuccess)} of them. ${near}.`;
}

/** One question to the environment: rules of the form first, then the seed. */
export function asking(context: GenerationContext, { form, seed }: { form: string; seed: string }): Message[] {
  const system =
    'You write new tasks for an agent, each a variation of a seed task: other facts, names and numbers, or another ' +
    'thing asked for, never the seed again in other words. Answer with one JSON object and nothing else.';
  return [
    { role: 'system', content: `${system}\n\n${form}` },
    { role: 'user', content: `${seed}\n\n${difficulty(context)}` },
  ];
}

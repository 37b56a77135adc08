/** Tokens by use, as they are paid for. */
import type { EventOf, JournalEvent } from '../journal/events.ts';
import type { Prices, TokenPrices } from './prices.ts';

type TokensUsed = Record<keyof TokenPrices, number>;
export type Used = Record<'agent' | 'environment', TokensUsed>;

export const nothingUsed: Used = {
  agent: { prompt: 0, sampled: 0, trained: 0 },
  environment: { prompt: 0, sampled: 0, trained: 0 },
};

/** Time on the clock and tokens by use. */
export interface Effort {
  seconds: number;
  used: Used;
}

/** One policy’s use of tokens. */
export interface Use extends TokensUsed {
  role: keyof Used;
}

/**
 * The tokens that an event’s phase used; null for an event without any. Where a journal does not tell prompts from
 * answers, all count as sampled, the dearer ones.
 */
export function useOf(event: JournalEvent): Use | null {
  switch (event.type) {
    case 'tasks.generated':
      return sampledBy('environment', event);
    case 'rollouts.finished':
      return sampledBy('agent', withDropped(event));
    case 'validated':
    case 'evaluated':
      return sampledBy('agent', event);
    case 'agent.updated':
    case 'environment.updated':
      return {
        role: event.type === 'agent.updated' ? 'agent' : 'environment',
        ...{ prompt: 0, sampled: 0, trained: event.trained ?? event.tokens ?? 0 },
      };
    default:
      return null;
  }
}

/** With the tokens of groups that fell out; those of attempts ended under way as far as they are likely. */
function withDropped({
  tokens,
  sampled,
  dropped,
}: Pick<EventOf<'rollouts.finished'>, 'tokens' | 'sampled' | 'dropped'>) {
  if (dropped === undefined) return { tokens, sampled };
  const all = tokens + dropped.tokens;
  if (sampled === undefined) return { tokens: all + dropped.likely };
  const answers = sampled + (dropped.sampled ?? dropped.tokens);
  return { tokens: all + dropped.likely, sampled: answers + Math.round((answers / Math.max(1, all)) * dropped.likely) };
}

function sampledBy(
  role: keyof Used,
  { tokens, sampled = tokens }: { tokens: number; sampled?: number | undefined },
): Use {
  return { role, prompt: tokens - sampled, sampled, trained: 0 };
}

export function usedWith(used: Used, { role, prompt, sampled, trained }: Use): Used {
  const before = used[role];
  return {
    ...used,
    [role]: {
      prompt: before.prompt + prompt,
      sampled: before.sampled + sampled,
      trained: before.trained + trained,
    },
  };
}

/** The price of some tokens, servers’ hours aside. */
export function priceOfUse({ role, prompt, sampled, trained }: Use, prices: Prices): number {
  const own = prices[role];
  return prompt * own.prompt + sampled * own.sampled + trained * own.trained;
}

/** The price of tokens and of hours. */
export const costOf = (used: Used, hours: number, prices: Prices): number =>
  priceOfUse({ role: 'agent', ...used.agent }, prices) +
  priceOfUse({ role: 'environment', ...used.environment }, prices) +
  hours * prices.hour;

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
 * The tokens that an event’s phase used, by policy; none for an event without any. Where a journal does not tell prompts from
 * answers, all count as sampled, the dearer ones.
 */
export function usesOf(event: JournalEvent): Use[] {
  switch (event.type) {
    case 'tasks.generated':
      return [sampledBy('environment', event), ...answersOf(event)];
    case 'rollouts.finished':
      return [sampledBy('agent', withDropped(event))];
    case 'validated':
    case 'evaluated':
      return [sampledBy('agent', event)];
    case 'agent.updated':
    case 'environment.updated':
      return [
        {
          role: event.type === 'agent.updated' ? 'agent' : 'environment',
          ...{ prompt: 0, sampled: 0, trained: event.trained ?? event.tokens ?? 0 },
        },
      ];
    default:
      return [];
  }
}

/** The agent's answers to new tasks. */
const answersOf = ({ byAgent }: EventOf<'tasks.generated'>): Use[] =>
  byAgent === undefined ? [] : [{ role: 'agent', prompt: byAgent.sent, sampled: byAgent.sampled, trained: 0 }];

/** With the tokens of groups that fell out; those of attempts ended under way as far as they are likely. */
function withDropped({
  tokens: known,
  sampled,
  sent,
  dropped,
}: Pick<EventOf<'rollouts.finished'>, 'tokens' | 'sampled' | 'sent' | 'dropped'>): Counted {
  // A cluster is paid by the hour: what its jobs did not count has no price.
  const tokens = known ?? 0;
  if (dropped === undefined) return { tokens, sampled, sent };
  const all = tokens + dropped.tokens;
  if (sampled === undefined) return { tokens: all + dropped.likely };
  const withLikely = (known: number): number => known + Math.round((known / Math.max(1, all)) * dropped.likely);
  return {
    tokens: all + dropped.likely,
    sampled: withLikely(sampled + (dropped.sampled ?? dropped.tokens)),
    sent: sent === undefined ? undefined : withLikely(sent + (dropped.sent ?? 0)),
  };
}

type Counted = Pick<EventOf<'validated'>, 'tokens' | 'sampled' | 'sent'>;

/** Older journals do not tell what was sent: all but the answers was, once. */
const sampledBy = (role: keyof Used, { tokens, sampled = tokens, sent = tokens - sampled }: Counted): Use => ({
  ...{ role, prompt: sent, sampled, trained: 0 },
});

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

/**
 * All messages of an attempt. Turns are numbered from 0 over all of it: first the conversation that was answered last,
 * then the additions of each branch to its origin.
 */
import type { Message } from './message.ts';
import type { Branch, Trace } from './trace.ts';

type Said<M extends Pick<Message, 'role'>> = { messages: readonly M[] } & {
  branches?: readonly (Omit<Branch, 'messages'> & { messages: readonly M[] })[] | undefined;
};

/** Every message by the number of its turn. */
export const allSaid = <M extends Pick<Message, 'role'>>({ messages, branches = [] }: Said<M>): readonly M[] =>
  branches.length === 0 ? messages : [...messages, ...branches.flatMap((branch) => branch.messages)];

/** A branch among the turns of its attempt. */
export interface BranchTurns {
  /** Number of its first turn. */
  first: number;
  /** The turn that it follows; null where it shares nothing with earlier messages. */
  follows: number | null;
  /** The continuation there. */
  messages: readonly Message[];
}

/** The branches of an attempt, in the order recorded. */
export function branchTurns({ messages, branches = [] }: Pick<Trace, 'messages' | 'branches'>): BranchTurns[] {
  let first = messages.length;
  const found: BranchTurns[] = [];
  /** The turn of the n-th message of a conversation, n from 1. */
  const turnAt = (of: number, n: number): number | null => {
    if (n === 0) return null;
    const branch = branches[of - 1];
    const own = found[of - 1];
    if (branch === undefined || own === undefined) return Math.min(n, messages.length) - 1;
    return n > branch.after ? own.first + n - branch.after - 1 : turnAt(branch.of, n);
  };
  for (const { of, after, messages: more } of branches) {
    // One that begins with a later one, or with itself, was damaged: it is shown as one that begins anew.
    found.push({ first, follows: of > found.length ? null : turnAt(of, after), messages: more });
    first += more.length;
  }
  return found;
}

/** Conversations whole, as the agent read them; the one that was answered last first. */
export function conversationsOf({ messages, branches = [] }: Pick<Trace, 'messages' | 'branches'>): Message[][] {
  const whole: Message[][] = [messages];
  for (const { of, after, messages: more } of branches) whole.push([...(whole[of]?.slice(0, after) ?? []), ...more]);
  return whole;
}

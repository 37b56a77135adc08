/** The conversations of one attempt as a tree: equal beginnings are stored once. */
import type { Message } from '../shared/records/message.ts';
import type { Branch } from '../shared/records/trace.ts';
import { seedFrom } from './random.ts';

interface Node {
  /** Null at the root. */
  message: Message | null;
  parent: Node | null;
  /** By `keyOf`, those that say the same with different tokens after one another. */
  children: Map<string, Node[]>;
  /** In the order in which they came. */
  order: Node[];
  /** Hash of this message and everything before it. */
  digest: number;
  /** How many questions were asked at this point. */
  asked: number;
  /** The agent said this message or one after it: unanswered questions are not recorded. */
  answered: boolean;
}

/** Where a conversation stands. */
export interface Place {
  /** The conversation that the agent reads: its own turns carry their tokens. */
  messages: readonly Message[];
  /**
   * Identifies the conversation and the number of earlier questions at this point: equal in all attempts with equal
   * conversations.
   */
  key: readonly [digest: number, before: number];
  /** Records an answer. */
  said(message: Message): void;
}

const keyOf = ({ role, content, name }: Message): string => JSON.stringify([role, content, name]);

export class Conversations {
  readonly #root: Node = {
    message: null,
    parent: null,
    children: new Map(),
    order: [],
    digest: 0,
    asked: 0,
    answered: true,
  };
  #last: Node = this.#root;

  /** Finds a conversation, message by message, and begins a branch where it is new. */
  at(messages: readonly Message[]): Place {
    let node = this.#root;
    const known: Message[] = [];
    for (const message of messages) {
      node = node.children.get(keyOf(message))?.[0] ?? grow(node, message);
      known.push(node.message ?? message);
    }
    const here = node;
    return {
      messages: known,
      key: [here.digest, here.asked++],
      said: (message) => {
        this.#last = grow(here, message);
        for (let at: Node | null = this.#last; at !== null && !at.answered; at = at.parent) at.answered = true;
      },
    };
  }

  /** The conversation that was answered last, and those that leave it, parents first. */
  get record(): { messages: Message[]; branches: Branch[] } {
    const onMain = new Set<Node>();
    for (let node: Node | null = this.#last; node !== null; node = node.parent) onMain.add(node);
    const messages: Message[] = [];
    const branches: Branch[] = [];
    const open: { from: Node; of: number; after: number }[] = [];
    const follow = (first: Node, of: number, before: number, said: Message[]): void => {
      for (let node: Node | undefined = first; node !== undefined;) {
        if (node.message !== null) said.push(node.message);
        const after = before + said.length;
        const answered: Node[] = node.order.filter((child) => child.answered);
        const next: Node | undefined = answered.find((child) => onMain.has(child)) ?? answered[0];
        for (const child of answered) if (child !== next) open.push({ from: child, of, after });
        node = next;
      }
    };
    follow(this.#root, 0, 0, messages);
    for (let i = 0; i < open.length; i++) {
      const { from, of, after } = open[i] ?? { from: this.#root, of: 0, after: 0 };
      const branch: Branch = { of, after, messages: [] };
      branches.push(branch);
      follow(from, branches.length, after, branch.messages);
    }
    return { messages, branches };
  }
}

/** A turn that the agent sampled takes precedence over a read message with equal text. */
function grow(parent: Node, message: Message): Node {
  const key = keyOf(message);
  const digest = seedFrom(parent.digest, key);
  const node: Node = { message, parent, children: new Map(), order: [], digest, asked: 0, answered: false };
  const alike = parent.children.get(key) ?? [];
  if (message.tokens === undefined) alike.push(node);
  else alike.splice(alike.filter((one) => one.message?.tokens !== undefined).length, 0, node);
  parent.children.set(key, alike);
  parent.order.push(node);
  return node;
}

/** The conversations of one attempt, as a tree: what begins alike is kept once. */
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
  /** What it and everything before it says, as a number. */
  digest: number;
  /** How often it was asked to go on here. */
  asked: number;
  /** It, or something after it, was said by the agent: what nobody answered is not recorded. */
  answered: boolean;
}

/** Where a conversation stands. */
export interface Place {
  /** What the agent reads: turns that it said itself carry their tokens. */
  messages: readonly Message[];
  /** Names the conversation, and how often it was asked for before: equal in every attempt that says the same. */
  key: readonly [digest: number, before: number];
  /** Files what was answered. */
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

/** A turn that the agent said itself is found before one that only reads so. */
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

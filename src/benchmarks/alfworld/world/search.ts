import { smallest } from '../../../shared/extremes.ts';
import { holds } from './groundFormula.ts';
import type { RelaxedPlanner } from './relaxedPlan.ts';
import type { World } from './world.ts';
import { outOfRange } from '../../../shared/outOfRange.ts';
import type { Operator } from './operator.ts';

interface Node {
  truth: Uint8Array;
  parent: Node | null;
  /** The operator that led here; null at the start. */
  operator: Operator | null;
}

export type Found =
  | { kind: 'solved'; plan: Operator[]; states: number }
  | { kind: 'unsolvable' }
  | { kind: 'unproven'; states: number };

/**
 * Greedy best-first search from the start: states wait by what their parent was worth, those that a helpful action
 * led to first. Every state is looked at once, so that when none is left, none wins.
 */
export function search(world: World, planner: RelaxedPlanner, states: number): Found {
  const relevant = [...planner.relevant];
  const keyOf = (truth: Uint8Array): string => {
    let key = '';
    for (let from = 0; from < relevant.length; from += 15) {
      let bits = 0;
      for (const id of relevant.slice(from, from + 15)) bits = 2 * bits + (truth[2 * id] ?? outOfRange());
      key += String.fromCharCode(bits);
    }
    return key;
  };
  const seen = new Set<string>();
  const waiting = new Buckets();
  waiting.put(0, { truth: world.start, parent: null, operator: null });
  let looked = 0;
  for (let node = waiting.take(); node !== null; node = waiting.take()) {
    const key = keyOf(node.truth);
    if (seen.has(key)) continue;
    seen.add(key);
    if (++looked > states) return { kind: 'unproven', states };
    const { truth } = node;
    if (world.goals.some((goal) => can(goal, truth))) return { kind: 'solved', plan: planOf(node), states: looked };
    const { distance, helpful, applicable } = planner.estimate(truth);
    if (distance === null) continue;
    for (const operator of applicable) {
      if (!can(operator, truth)) continue;
      const next = { truth: after(world, truth, operator), parent: node, operator };
      waiting.put(2 * distance + (helpful.has(operator) ? 0 : 1), next);
    }
  }
  return { kind: 'unsolvable' };
}

/** Nodes by worth, in order of arrival where it is the same. */
class Buckets {
  readonly #nodes = new Map<number, { nodes: Node[]; next: number }>();

  put(worth: number, node: Node): void {
    const bucket = this.#nodes.get(worth);
    if (bucket === undefined) this.#nodes.set(worth, { nodes: [node], next: 0 });
    else bucket.nodes.push(node);
  }

  take(): Node | null {
    if (this.#nodes.size === 0) return null;
    const worth = smallest(this.#nodes.keys());
    const bucket = this.#nodes.get(worth);
    const node = bucket?.nodes[bucket.next++];
    if (bucket !== undefined && bucket.next >= bucket.nodes.length) this.#nodes.delete(worth);
    return node ?? null;
  }
}

function can({ literals, rest }: Operator, truth: Uint8Array): boolean {
  return literals.every((literal) => truth[literal] === 1) && (rest === null || holds(rest, truth));
}

function after(world: World, truth: Uint8Array, operator: Operator): Uint8Array {
  const next = Uint8Array.from(truth);
  for (const { fact, adds, removes } of world.effectsOf(operator)) {
    const added = holds(adds, truth);
    if (!added && !holds(removes, truth)) continue;
    next[2 * fact.id] = added ? 1 : 0;
    next[2 * fact.id + 1] = added ? 0 : 1;
  }
  return next;
}

function planOf(node: Node): Operator[] {
  const plan: Operator[] = [];
  for (let one: Node | null = node; one !== null; one = one.parent) if (one.operator !== null) plan.push(one.operator);
  return plan.reverse();
}

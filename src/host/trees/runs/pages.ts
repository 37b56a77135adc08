import type { MoreNode, RunsNode } from './node.ts';
import { pageSize } from './nodes.ts';

/** How many pages of its children each node shows: one, until the user asks for more. */
export class Pages {
  readonly #shown = new Map<string, number>();

  /** The shown children of a node, with a last one that represents the rest. */
  of<T>(parent: MoreNode['parent'], all: readonly T[], show: (one: T) => RunsNode): RunsNode[] {
    const page = this.#shown.get(parent.id) ?? 1;
    const nodes = all.slice(0, page * pageSize).map(show);
    const left = all.length - nodes.length;
    if (left === 0) return nodes;
    const id = `${parent.id}/more`;
    return [...nodes, { kind: 'more', id, parent, run: parent.run, page, left }];
  }

  /** Shows the page after this one. */
  next({ parent, page }: MoreNode): void {
    this.#shown.set(parent.id, page + 1);
  }

  /** Shows the page of a child. @returns whether that shows more than before */
  turnTo<T>(parent: RunsNode, all: readonly T[], wanted: (one: T) => boolean): boolean {
    const page = Math.floor(Math.max(0, all.findIndex(wanted)) / pageSize) + 1;
    if (page <= (this.#shown.get(parent.id) ?? 1)) return false;
    this.#shown.set(parent.id, page);
    return true;
  }

  clear(): void {
    this.#shown.clear();
  }
}

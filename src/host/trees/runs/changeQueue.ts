/** Changed nodes, reported a few times a second at most, since a live run changes them more often. */
import type { RunsNode } from './node.ts';
import type { Changed } from './runsModel.ts';

const everyMs = 300;

export class ChangeQueue {
  readonly #tell: (changed: Changed) => void;
  #waiting = new Set<RunsNode>();
  #all = false;
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(tell: (changed: Changed) => void) {
    this.#tell = tell;
  }

  add(changed: Changed): void {
    if (changed === null) this.#all = true;
    else for (const node of changed) this.#waiting.add(node);
    this.#timer ??= setTimeout(() => {
      this.flush();
    }, everyMs);
  }

  flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const [all, waiting] = [this.#all, this.#waiting];
    this.#all = false;
    this.#waiting = new Set();
    if (all) this.#tell(null);
    // A node is drawn with all that is below it.
    else if (waiting.size > 0) this.#tell([...waiting].filter((node) => !isBelowOneOf(waiting, node)));
  }

  dispose(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
  }
}

function isBelowOneOf(nodes: ReadonlySet<RunsNode>, { parent }: RunsNode): boolean {
  return parent !== null && (nodes.has(parent) || isBelowOneOf(nodes, parent));
}

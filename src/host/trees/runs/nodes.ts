/** The drawn nodes, by id: the same place is always the same object, as the editor requires. */
import { knownAnswerTokens } from '../../../engine/phases/attempts/traceTokens.ts';
import type { FamilyScore } from '../../../shared/journal/events.ts';
import type { Task } from '../../../shared/records/task.ts';
import type { Trace } from '../../../shared/records/trace.ts';
import { defined } from '../../../shared/defined.ts';
import type { TaskCount } from '../../../runs/records/mixedTasks.ts';
import type { RunDir } from '../../runs/runs.ts';
import type { FamilyGroup } from './familyGroups.ts';
import type {
  Aside,
  AsideNode,
  DomainNode,
  EpochNode,
  FamilyNode,
  GroupNode,
  MixedNode,
  MoreNode,
  NoteNode,
  ProblemNode,
  RejectedNode,
  RunNode,
  RunsNode,
  StudyNode,
  TaskNode,
  TraceNode,
} from './node.ts';

/** How many children are shown before a person asks for more. */
export const pageSize = 500;

type Kept = Exclude<RunsNode, MoreNode | NoteNode | StudyNode>;

export class Nodes {
  /** By run, so that a removed run's nodes are dropped together. */
  readonly #nodes = new Map<RunDir, Map<string, Kept>>();

  get runs(): RunDir[] {
    return [...this.#nodes.keys()];
  }

  forget(run: RunDir): void {
    this.#nodes.delete(run);
  }

  run(run: RunDir): RunNode {
    return this.#same({ kind: 'run', id: run, parent: null, run });
  }

  problem(run: RunDir): ProblemNode {
    return this.#same({ kind: 'problem', id: `${run}!`, parent: null, run });
  }

  epoch(parent: RunNode, epoch: number): EpochNode {
    return this.#same({ kind: 'epoch', id: epochId(parent.run, epoch), parent, run: parent.run, epoch });
  }

  /** The node of an epoch that was drawn before. */
  drawnEpoch(run: RunDir, epoch: number): EpochNode | undefined {
    const node = this.#nodes.get(run)?.get(epochId(run, epoch));
    return node?.kind === 'epoch' ? node : undefined;
  }

  domain(parent: EpochNode, domain: string): DomainNode {
    const { run, epoch } = parent;
    return this.#same({ kind: 'domain', id: `${parent.id}@${domain}`, parent, run, epoch, domain });
  }

  group(parent: EpochNode | DomainNode, group: FamilyGroup): GroupNode {
    const { run, epoch } = parent;
    const domain = domainIn(parent);
    return this.#same({ kind: 'group', id: `${parent.id}/${group}`, parent, run, epoch, domain, group });
  }

  aside(parent: EpochNode | DomainNode, aside: Aside): AsideNode {
    const { run, epoch } = parent;
    const domain = domainIn(parent);
    return this.#same({ kind: 'aside', id: `${parent.id}/${aside}`, parent, run, epoch, domain, aside });
  }

  mixed(parent: AsideNode, { id: task, successes, attempts }: TaskCount): MixedNode {
    const { run, epoch } = parent;
    const score = { successes, attempts };
    return this.#same({ kind: 'mixed', id: `${parent.id}/${task}`, parent, run, epoch, task, score });
  }

  rejected(parent: AsideNode, { id: task, cause, note }: Task): RejectedNode {
    const { run, epoch } = parent;
    const record = { ...defined({ cause, note }) };
    return this.#same({ kind: 'rejected', id: `${parent.id}/${task}`, parent, run, epoch, task, record });
  }

  family(parent: GroupNode, score: FamilyScore): FamilyNode {
    const { run, epoch } = parent;
    return this.#same({ kind: 'family', id: `${parent.id}/${score.id}`, parent, run, epoch, family: score.id, score });
  }

  task(parent: FamilyNode, score: FamilyScore['tasks'][number]): TaskNode {
    const { run, epoch, family } = parent;
    const id = `${parent.id}/${score.id}`;
    return this.#same({ kind: 'task', id, parent, run, epoch, family, task: score.id, score });
  }

  trace(parent: TaskNode | MixedNode, record: Trace): TraceNode {
    const { run, epoch, task } = parent;
    const { id: trace, verdict, stopReason, version } = record;
    const family = parent.kind === 'task' ? parent.family : undefined;
    const shown = { verdict, stopReason, version, tokens: knownAnswerTokens(record) };
    const id = `${parent.id}/${trace}`;
    return this.#same({ kind: 'trace', id, parent, run, epoch, family, task, trace, record: shown });
  }

  #same<T extends Kept>(node: T): T {
    let nodes = this.#nodes.get(node.run);
    if (nodes === undefined) this.#nodes.set(node.run, (nodes = new Map<string, Kept>()));
    const known = nodes.get(node.id);
    if (known !== undefined && isLike(known, node)) return known;
    nodes.set(node.id, node);
    return node;
  }
}

const domainIn = (parent: EpochNode | DomainNode): string | null => (parent.kind === 'domain' ? parent.domain : null);

const epochId = (run: RunDir, epoch: number): string => `${run}#${epoch}`;

/** An id is used for one kind of node alone. */
function isLike<T extends Kept>(known: Kept, node: T): known is T {
  return known.kind === node.kind;
}

/** The nodes of the Runs tree. Each carries its place, so that it is a `RunTarget`. */
import type { RunDir } from '../../runs/runs.ts';
import type { FamilyScore } from '../../../shared/journal/events.ts';
import type { Task } from '../../../shared/records/task.ts';
import type { Trace } from '../../../shared/records/trace.ts';
import type { FamilyGroup } from './familyGroups.ts';

interface Place<Kind extends string, Parent> {
  readonly kind: Kind;
  /** Stable: the editor keeps selection and expansion by it. */
  readonly id: string;
  readonly parent: Parent;
  readonly run: RunDir;
}

/** The runs of one study in one folder of runs. It is no place in a run, so commands on runs pass over it. */
export interface StudyNode {
  readonly kind: 'study';
  readonly id: string;
  readonly parent: null;
  readonly study: string;
  /** The folder of its runs. */
  readonly root: string;
  /** Holds only the runs that a filter shows. */
  readonly filtered: boolean;
}

/** At the first level, or below its study: the model knows which. */
export type RunNode = Place<'run', null>;
/** A folder among the runs that is none. */
export type ProblemNode = Place<'problem', null>;

export interface EpochNode extends Place<'epoch', RunNode> {
  readonly epoch: number;
}

/** One domain in an epoch of a run that has several. */
export interface DomainNode extends Place<'domain', EpochNode> {
  readonly epoch: number;
  readonly domain: string;
}

export interface GroupNode extends Place<'group', EpochNode | DomainNode> {
  readonly epoch: number;
  /** Null where the run has one domain. */
  readonly domain: string | null;
  readonly group: FamilyGroup;
}

/** An epoch's nodes besides its families: base and pool tasks mixed into its batch, and texts that became no task. */
export type Aside = 'mixed' | 'rejected';

export interface AsideNode extends Place<'aside', EpochNode | DomainNode> {
  readonly epoch: number;
  readonly domain: string | null;
  readonly aside: Aside;
}

/** A task mixed into an epoch's batch. */
export interface MixedNode extends Place<'mixed', AsideNode> {
  readonly epoch: number;
  readonly task: string;
  readonly score: Pick<FamilyScore['tasks'][number], 'successes' | 'attempts'>;
}

/** A text of the environment policy that became no task. */
export interface RejectedNode extends Place<'rejected', AsideNode> {
  readonly epoch: number;
  readonly task: string;
  readonly record: Pick<Task, 'cause' | 'note'>;
}

export interface FamilyNode extends Place<'family', GroupNode> {
  readonly epoch: number;
  readonly family: string;
  readonly score: FamilyScore;
}

export interface TaskNode extends Place<'task', FamilyNode> {
  readonly epoch: number;
  readonly family: string;
  readonly task: string;
  readonly score: FamilyScore['tasks'][number];
}

export interface TraceNode extends Place<'trace', TaskNode | MixedNode> {
  readonly epoch: number;
  readonly family: string | undefined;
  readonly task: string;
  readonly trace: string;
  readonly record: Pick<Trace, 'verdict' | 'stopReason' | 'version'> & { tokens: number | null };
}

/** Represents children that are not shown yet. */
export interface MoreNode extends Place<'more', RunNode | GroupNode | AsideNode | FamilyNode> {
  readonly page: number;
  readonly left: number;
}

/** Says why there is nothing below a node. */
export interface NoteNode extends Place<
  'note',
  RunNode | EpochNode | DomainNode | GroupNode | AsideNode | TaskNode | MixedNode
> {
  readonly note: 'no epochs' | 'nothing matches' | 'no families' | 'no attempts' | 'unreadable';
  readonly error: Error | null;
}

export type RunsNode =
  | StudyNode
  | RunNode
  | ProblemNode
  | EpochNode
  | DomainNode
  | GroupNode
  | AsideNode
  | MixedNode
  | RejectedNode
  | FamilyNode
  | TaskNode
  | TraceNode
  | MoreNode
  | NoteNode;

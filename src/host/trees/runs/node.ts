/** The nodes of the Runs tree. Each carries the place it stands for, so that it is a `RunTarget` as it is. */
import type { RunDir } from '../../runs/runs.ts';
import type { FamilyScore } from '../../../shared/journal/events.ts';
import type { Trace } from '../../../shared/records/trace.ts';
import type { FamilyGroup } from './familyGroups.ts';

interface Place<Kind extends string, Parent> {
  readonly kind: Kind;
  /** Stable: what the editor keeps selection and expansion by. */
  readonly id: string;
  readonly parent: Parent;
  readonly run: RunDir;
}

export type RunNode = Place<'run', null>;
/** A folder among the runs that is none. */
export type ProblemNode = Place<'problem', null>;

export interface EpochNode extends Place<'epoch', RunNode> {
  readonly epoch: number;
}

export interface GroupNode extends Place<'group', EpochNode> {
  readonly epoch: number;
  readonly group: FamilyGroup;
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

export interface TraceNode extends Place<'trace', TaskNode> {
  readonly epoch: number;
  readonly family: string;
  readonly task: string;
  readonly trace: string;
  readonly record: Pick<Trace, 'verdict' | 'stopReason' | 'version'> & { tokens: number };
}

/** Stands for children that are not shown yet. */
export interface MoreNode extends Place<'more', RunNode | GroupNode | FamilyNode> {
  readonly page: number;
  readonly left: number;
}

/** Says why there is nothing below a node. */
export interface NoteNode extends Place<'note', RunNode | EpochNode | GroupNode | TaskNode> {
  readonly note: 'no epochs' | 'nothing matches' | 'no families' | 'no attempts' | 'unreadable';
  readonly error: Error | null;
}

export type RunsNode =
  RunNode | ProblemNode | EpochNode | GroupNode | FamilyNode | TaskNode | TraceNode | MoreNode | NoteNode;

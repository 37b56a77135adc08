/** The hits of a search as a tree: run, epochs, tasks, traces, matches. */
import type { SearchHit, SearchMatch } from '../contract/searchHit.ts';
import type { Searched } from './traceSearch.ts';

interface Node {
  /** Stays the same while a search grows. */
  id: string;
  /** Folder of the run: commands of other views are about the same places. */
  run: string;
  /** Traces and tasks that were found below it. */
  found: number;
}

export interface FoundEpoch extends Node {
  kind: 'epoch';
  epoch: number;
  tasks: FoundTask[];
}

export interface FoundTask extends Node {
  kind: 'task';
  epoch: number;
  family: string;
  task: string;
  hits: FoundHit[];
}

/** A trace, or the task's prompt. */
export interface FoundHit extends Node {
  kind: 'hit';
  hit: SearchHit;
  /** Of the trace; a task's prompt has none. */
  trace?: string;
  task: string;
  epoch: number;
  matches: FoundMatch[];
}

export interface FoundMatch extends Node {
  kind: 'match';
  hit: SearchHit;
  match: SearchMatch;
}

export interface FoundRun extends Node {
  kind: 'run';
  searched: Searched;
  epochs: FoundEpoch[];
}

export type SearchNode = FoundRun | FoundEpoch | FoundTask | FoundHit | FoundMatch;

/** Epochs newest first; within them everything as it was found. */
export function nodesOf(searched: Searched): FoundRun {
  const { run, number, hits } = searched;
  const root: FoundRun = { kind: 'run', id: `${number}`, run, found: hits.length, searched, epochs: [] };
  const epochs = new Map<number, FoundEpoch>();
  const tasks = new Map<string, FoundTask>();
  for (const hit of hits) {
    const { epoch, task, family } = hit;
    let ofEpoch = epochs.get(epoch);
    if (ofEpoch === undefined) {
      ofEpoch = { kind: 'epoch', id: `${number}/${epoch}`, run, found: 0, epoch, tasks: [] };
      epochs.set(epoch, ofEpoch);
    }
    const id = `${number}/${epoch}/${task}`;
    let ofTask = tasks.get(id);
    if (ofTask === undefined) {
      ofTask = { kind: 'task', id, run, found: 0, epoch, family, task, hits: [] };
      tasks.set(id, ofTask);
      ofEpoch.tasks.push(ofTask);
    }
    ofEpoch.found += 1;
    ofTask.found += 1;
    ofTask.hits.push(hitNode(hit, run, id));
  }
  root.epochs = [...epochs.values()].sort((a, b) => b.epoch - a.epoch);
  return root;
}

function hitNode(hit: SearchHit, run: string, within: string): FoundHit {
  const id = `${within}/${hit.kind === 'trace' ? hit.trace : 'prompt'}`;
  const matches = hit.matches.map((match, at): FoundMatch => ({
    kind: 'match',
    id: `${id}/${at}`,
    run,
    found: 1,
    hit,
    match,
  }));
  const of = hit.kind === 'trace' ? { trace: hit.trace } : {};
  return { kind: 'hit', id, run, found: 1, hit, ...of, task: hit.task, epoch: hit.epoch, matches };
}

export function childrenOf(node: SearchNode): SearchNode[] {
  switch (node.kind) {
    case 'run':
      return node.epochs;
    case 'epoch':
      return node.tasks;
    case 'task':
      return node.hits;
    case 'hit':
      return node.matches;
    case 'match':
      return [];
  }
}

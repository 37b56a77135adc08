/** Studies in the queue, and those whose files are no longer those that were queued. */
import type * as vscode from 'vscode';
import type { QueuePlace } from './queuePlace.ts';

export interface QueuedStudy {
  /** The folder of its runs. */
  root: string;
  name: string;
  place: QueuePlace;
}

export interface QueuedChange {
  /** The study's file. */
  file: string;
  /** A sentence that names the changed files, and how to queue it anew where it waits. */
  text: string;
  /** It waits, so _Run Study_ puts it into the queue anew. */
  waits: boolean;
}

export interface QueuedStudies {
  readonly onDidChange: vscode.Event<void>;
  /** Those that run or wait. */
  readonly open: readonly QueuedStudy[];
  /** Of the study with this file, or with this base. @param path absolute */
  of(path: string): QueuedChange | null;
  /** By its name, in a folder of runs. */
  named(root: string, name: string): QueuedChange | null;
}

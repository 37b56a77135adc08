import { join, resolve } from 'node:path';
import type { Manifest } from './manifest.ts';

/** The paths of a run's files. */
export interface RunPaths {
  dir: string;
  manifest: string;
  journal: string;
  sessions: string;
  tasks: { records: string; index: string };
  traces: { records: string; index: string };
  /** Plans, and texts and answers that led to a task later. */
  completions: { records: string; index: string };
  index: string;
  checkpoints: string;
  /** Copies of the task files that the experiment names. */
  inputs: string;
  /** Requests to the run's writer. */
  inbox: string;
  /** Users' notes on turns. */
  notes: string;
  /** People's verdicts and labels on attempts. */
  attemptLabels: string;
  /** Attempts that users requested at single tasks. */
  reattempts: string;
  /** Attempts that people made themselves. */
  plays: string;
  /** Verdicts of other rewards beside the recorded ones, a folder each. */
  rescored: string;
  lease: string;
  /** Its name, tags, pin and note. */
  label: string;
  /** Who changes the label now. */
  labelLease: string;
  report: string;
}

export function runPaths(dir: string): RunPaths {
  const index = join(dir, 'index');
  return {
    dir,
    manifest: join(dir, 'run.json'),
    journal: join(dir, 'journal.jsonl'),
    sessions: join(dir, 'sessions.jsonl'),
    tasks: { records: join(dir, 'tasks.jsonl'), index: join(index, 'tasks.bin') },
    traces: { records: join(dir, 'traces.jsonl'), index: join(index, 'traces.bin') },
    completions: { records: join(dir, 'completions.jsonl'), index: join(index, 'completions.bin') },
    index,
    checkpoints: join(dir, 'checkpoints'),
    inputs: join(dir, 'inputs'),
    inbox: join(dir, 'inbox'),
    notes: join(dir, 'notes.jsonl'),
    attemptLabels: join(dir, 'attemptLabels.jsonl'),
    reattempts: join(dir, 'reattempts.jsonl'),
    plays: join(dir, 'plays.jsonl'),
    rescored: join(dir, 'rescored'),
    lease: join(dir, 'lease'),
    label: join(dir, 'label.json'),
    labelLease: join(dir, 'label.lease'),
    report: join(dir, 'report.html'),
  };
}

/** Absolute path of the experiment file that a run was started from; it may be gone. */
export function sourceOf(dir: string, { source }: Pick<Manifest, 'source'>): string | null {
  return source === null ? null : resolve(dir, source);
}

/** The studies in the queue, compared with their files whenever either may have changed. */
import { stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import { experimentPattern } from '../../../host/files/experimentFiles.ts';
import { studyPattern } from '../../../host/files/studyFiles.ts';
import { watchFiles } from '../../../host/files/watchFiles.ts';
import type { QueuePlace } from '../../../host/runs/queuePlace.ts';
import type { QueuedChange, QueuedStudies, QueuedStudy } from '../../../host/runs/queuedStudies.ts';
import { messageOf } from '../../../shared/messageOf.ts';
import { isOpen, type QueueEntry } from '../core/queue.ts';

/** Milliseconds without a further event after which the files are looked at. */
const pause = 300;

interface Queued {
  root: string;
  entry: QueueEntry;
  place: QueuePlace;
}

interface Seen {
  root: string;
  name: string;
  file: string;
  base: string | null;
  change: QueuedChange | null;
}

export interface ChangedStudiesNeeds {
  /** The open studies of all queues. */
  studies: () => readonly Queued[];
  log: Pick<vscode.LogOutputChannel, 'error'>;
}

export class ChangedStudies implements QueuedStudies, vscode.Disposable {
  readonly #needs: ChangedStudiesNeeds;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscriptions: vscode.Disposable[];
  /** Digests by the file and its state: weights are large. */
  readonly #digests = new Map<string, string>();
  #seen: readonly Seen[] = [];
  #queued = '';
  #open: readonly QueuedStudy[] = [];
  #timer: NodeJS.Timeout | undefined;
  /** Looks begun; an older one says nothing. */
  #looks = 0;

  readonly onDidChange = this.#changed.event;

  constructor(needs: ChangedStudiesNeeds) {
    this.#needs = needs;
    const look = (): void => this.#soon();
    this.#subscriptions = [
      watchFiles(studyPattern, look),
      watchFiles(experimentPattern, look),
      vscode.workspace.onDidSaveTextDocument(look),
      this.#changed,
    ];
  }

  get open(): readonly QueuedStudy[] {
    return this.#open;
  }

  of(path: string): QueuedChange | null {
    return mostUrgent(this.#seen.filter(({ file, base }) => file === path || base === path));
  }

  named(root: string, name: string): QueuedChange | null {
    return mostUrgent(this.#seen.filter((one) => one.root === root && one.name === name));
  }

  /** A queue is another one than before. */
  queueChanged(): void {
    const studies = this.#needs.studies();
    const before = JSON.stringify(this.#open);
    this.#open = studies.map(({ root, entry: { name }, place }) => ({ root, name, place }));
    if (JSON.stringify(this.#open) !== before) this.#changed.fire();
    const queued = JSON.stringify(studies.map(({ root, entry: { run, state, since } }) => [root, run, state, since]));
    if (queued === this.#queued) return;
    this.#queued = queued;
    this.#soon();
  }

  dispose(): void {
    this.#looks += 1;
    clearTimeout(this.#timer);
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #soon(): void {
    if (this.#needs.studies().length === 0 && this.#seen.length === 0) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#look(), pause);
  }

  async #look(): Promise<void> {
    const look = (this.#looks += 1);
    try {
      const [{ changedSince }, { baseOf, changeOf }] = await Promise.all([
        import('../node/queuedStudy.ts'),
        import('./queuedChange.ts'),
      ]);
      const seen = await Promise.all(
        this.#needs.studies().map(async ({ root, entry }): Promise<Seen[]> => {
          const { study: file, name, state } = entry;
          if (file === null) return [];
          const since = await changedSince(entry, (path) => this.#digest(path));
          return [{ root, name, file, base: baseOf(entry), change: changeOf(file, { since, name, state }) }];
        }),
      );
      if (look !== this.#looks) return;
      const before = JSON.stringify(this.#seen);
      this.#seen = seen.flat();
      if (JSON.stringify(this.#seen) !== before) this.#changed.fire();
    } catch (error) {
      // The queue itself says what keeps a study from beginning.
      this.#needs.log.error(`A queued study was not compared with its files: ${messageOf(error)}`);
    }
  }

  async #digest(path: string): Promise<string> {
    const { inputDigest } = await import('../../study/node/inputDigest.ts');
    const state = await stat(path).catch(() => null);
    if (state === null) return inputDigest(path);
    const key = `${path} ${state.size} ${state.mtimeMs}`;
    const known = this.#digests.get(key) ?? (await inputDigest(path));
    this.#digests.set(key, known);
    return known;
  }
}

/** Of several studies: one that waits, which can still be queued anew, before one that runs. */
function mostUrgent(seen: readonly Seen[]): QueuedChange | null {
  const changes = seen.flatMap(({ change }) => change ?? []);
  return changes.find(({ waits }) => waits) ?? changes[0] ?? null;
}

/** Whether an entry of a queue is a study that runs or waits. */
export const isOpenStudy = (entry: QueueEntry): boolean => entry.study !== null && isOpen(entry);

/** The host's interface to runs: the list, one followed live, and the actions on them. */
import type { EditOutcome } from '../../runs/records/editTasks.ts';
import type { TaskEdit } from '../../shared/records/taskEdit.ts';
import type * as vscode from 'vscode';
import type { Progress } from '../../engine/ports.ts';
import type { Rescoring, RunState } from '../../engine/state.ts';
import type { BranchAsk } from '../../launch/branchRun.ts';
import type { Landing } from '../../launch/launch.ts';
import type { Silence } from '../../shared/text/silence.ts';
import type { ServerShare } from '../../launch/policies/schedulers.ts';
import type { Manifest } from '../../runs/store/manifest.ts';
import type { AppliedVerdicts } from '../../runs/rescored/applyRescoring.ts';
import type { LabelChange } from '../../runs/store/runLabel.ts';
import type { QueuedStudies } from './queuedStudies.ts';
import type { QueuePlace } from './queuePlace.ts';
import type { RunHead } from '../../runs/store/runHead.ts';
import type { RunFacts } from '../../runs/facts/runFacts.ts';
import type { RunError } from '../../runs/store/runError.ts';
import type { RunReader } from '../../runs/store/runReader.ts';
import type { Experiment } from '../../shared/experiment/schema.ts';
import type { SaidSoFar } from '../../shared/records/saidSoFar.ts';
import type { FamilyScore, JournalEvent } from '../../shared/journal/events.ts';

/** Absolute path of a run's folder: how the host names a run everywhere, trees, panels and commands alike. */
export type RunDir = string;

export interface KnownRun {
  dir: RunDir;
  head: RunHead;
  /** The current writer: this window or the runner that it uses, another process, or none. */
  writer: 'here' | 'elsewhere' | null;
}

/** Every run of the workspace's folders, kept up to date from file events; only heads are read. */
export interface RunCatalog {
  /** Newest first. */
  readonly runs: readonly KnownRun[];
  /** Folders among the runs that cannot be read as one. */
  readonly problems: readonly { dir: RunDir; error: RunError }[];
  /** Runs came or went. */
  readonly onDidChangeList: vscode.Event<void>;
  /** The head or the writer of these runs changed; throttled. */
  readonly onDidChangeRuns: vscode.Event<readonly RunDir[]>;
  get(dir: RunDir): KnownRun | undefined;
  /** As the run was started; undefined for a folder that cannot be read as a run. */
  manifest(dir: RunDir): Manifest | undefined;
  /** Resolves when the heads have been read once. */
  readonly ready: Promise<void>;
  refresh(): Promise<void>;
  /** Reads the journal once and follows it, with any writer. Shared: dispose the result. @throws RunError */
  follow(dir: RunDir): Promise<FollowedRun>;
  /** The same for views that show events while they are read: does not wait for the journal's end. @throws RunError */
  watch(dir: RunDir): Promise<FollowedRun>;
  dispose(): void;
}

/** One run's journal, read and followed live. */
export interface FollowedRun {
  readonly dir: RunDir;
  readonly manifest: Manifest;
  readonly reader: RunReader;
  /** Resolves when the events at opening time have been read. @throws RunError */
  readonly whole: Promise<void>;
  /** Fold of all events so far, without their families. */
  readonly state: RunState;
  /** Further folds of them, shared by all followers of the run; they keep no families. */
  readonly facts: RunFacts;
  /** Epochs whose families were scored, in order. */
  readonly scoredEpochs: readonly number[];
  /** The settings in force now: the manifest's experiment with the changes made since. */
  readonly experiment: Experiment;
  /** After `state` has taken them. */
  readonly onDidAppend: vscode.Event<readonly JournalEvent[]>;
  /** The journal could not be read on. */
  readonly onDidFail: vscode.Event<RunError>;
  /** Reads what was appended by now, without waiting for the file's watcher. Errors go to `onDidFail`. */
  readOn(): Promise<void>;
  /** The families of one epoch, read from their place in the journal. */
  familiesOf(epoch: number): Promise<readonly FamilyScore[]>;
  /** Releases the share: its listeners get no more events. */
  dispose(): void;
}

/** A run that this window executes, or the runner of its folder does. */
export interface ActiveRun {
  readonly dir: RunDir;
  /** The settings in force. */
  readonly experiment: Experiment;
  readonly state: RunState;
  /** As of now; null before an epoch has been timed. */
  readonly secondsLeft: number | null;
  /** The phases under way: the two updates run side by side. */
  readonly phases: readonly Progress[];
  readonly pausing: 'no' | 'boundary' | 'now';
  /** The newest turns in its attempts at a task that are not recorded yet; null where its process cannot be asked. */
  said(task: string): Promise<SaidSoFar | null>;
  /** The load of its remote endpoints from this run. */
  readonly loads: readonly ServerShare[];
  /** Its servers that answer nothing now. */
  readonly silences: readonly Silence[];
}

/** A run that this window executed, and how that ended. */
export interface LandedRun {
  run: ActiveRun;
  landing: Landing;
}

/** The queues of the workspace's folders, as this window sees and asks them; a runner outside of the window executes them. */
export interface RunQueue {
  /** Runs that a runner executes now. */
  readonly active: ReadonlyMap<RunDir, ActiveRun>;
  readonly onDidProgress: vscode.Event<ActiveRun>;
  readonly onDidChangeActive: vscode.Event<void>;
  readonly onDidLand: vscode.Event<LandedRun>;
  /** Resolves when the queues have been read once. */
  readonly ready: Promise<void>;
  /** The places of these runs changed. */
  readonly onDidChangePlaces: vscode.Event<readonly RunDir[]>;
  place(dir: RunDir): QueuePlace | undefined;
  readonly studies: QueuedStudies;
  /** Whether a run that starts here goes into the queue, as the settings of its file or folder say. */
  takes(of: vscode.Uri): boolean;
  /** Puts a run that waits into the queue, and sees that a runner works on it. @throws RunError, RunnerError */
  add(dir: RunDir, manifest: Pick<Manifest, 'id' | 'experiment' | 'servers'>): Promise<void>;
  /** A run that is executed pauses at once; one that waits leaves the queue. */
  pause(dir: RunDir): Promise<void>;
}

export interface StartRequest {
  experiment: Experiment;
  /** The experiment file. Relative names in it start at its folder; the run is kept under its workspace folder. */
  file: vscode.Uri;
}

/** The only way by which commands, trees, panels and editors do something with a run. All refuse in an untrusted workspace with a SteerError. */
export interface RunService {
  readonly active: ReadonlyMap<RunDir, ActiveRun>;
  /** Progress, a phase or an epoch of an active run; throttled to a few a second. */
  readonly onDidProgress: vscode.Event<ActiveRun>;
  /** A run began or ended to be active. */
  readonly onDidChangeActive: vscode.Event<void>;
  /** A run of this window ended in any way. */
  readonly onDidLand: vscode.Event<LandedRun>;
  /** Creates the run and carries it on in the background; resolves once it has a folder. @throws RunError, InputError */
  start(request: StartRequest): Promise<RunDir>;
  /** @throws RunError `in-use` and others before the run continues, SteerError `finished` */
  resume(dir: RunDir): Promise<void>;
  /** `now` only for a run of this window; at a phase boundary also for one elsewhere. Resolves when asked. @throws SteerError */
  pause(dir: RunDir, when: 'now' | 'boundary'): Promise<void>;
  /** Ends the run for good: no resume is offered. Resolves when it has no writer any more. */
  stop(dir: RunDir): Promise<void>;
  /** A new run that shares the epochs up to `epoch`; it waits as paused. @throws RunError `cannot-branch` */
  branch(dir: RunDir, epoch: number, asked: Pick<BranchAsk, 'experiment' | 'named'>): Promise<RunDir>;
  /** `curriculum.alpha=0.4` and the like, in force from the next phase boundary. @throws ChangeError naming the field */
  change(dir: RunDir, changes: readonly string[]): Promise<void>;
  /** Edits tasks by hand: journaled at once, or taken by the run's writer. @throws RunError, SteerError */
  editTasks(dir: RunDir, edits: readonly TaskEdit[]): Promise<EditOutcome>;
  /** Name, tags, pin, note, archived or not. @throws RunError, SteerError */
  label(dir: RunDir, change: LabelChange): Promise<void>;
  /** Lays new verdicts over the recorded ones, which stay. @throws RunError `in-use`, `imported`, SteerError */
  applyRescoring(dir: RunDir, made: Omit<AppliedVerdicts, 'author' | 'clock'>): Promise<Rescoring>;
  /** Takes away those that were applied last. @returns the file that had judged. @throws RunError `not-found`, SteerError */
  takeBackRescoring(dir: RunDir): Promise<{ by: string }>;
  /** Moves the folder to the trash, or removes it for good. @throws RunError `in-use`, SteerError `no-trash` */
  remove(dir: RunDir, how?: 'trash' | 'for-good'): Promise<void>;
  dispose(): void;
}

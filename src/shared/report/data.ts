/**
 * The data of a run's report: written into the HTML file by the node side (`src/features/report/node`), read by the
 * browser code (`webview/report`). Plain JSON. Everything in it was measured by the run; nothing is computed again in
 * the browser but positions on a page.
 */
import type { Control } from '../journal/control.ts';
import type { Caps } from './caps.ts';
import type { Teaching } from './teaching.ts';
import type { EpochTimeline } from './timeline.ts';
import type { CurriculumInForce } from '../journal/curriculum.ts';
import type { EventOf } from '../journal/events.ts';
import type { MeasureChange } from '../journal/measures.ts';
import type { PassAtK, SuccessRate } from '../journal/scores.ts';
import type { WrittenQuality } from '../journal/quality.ts';

/** Raised whenever a field changes its meaning: browser code refuses data of another version. */
export const reportVersion = 1;

type Origin = EventOf<'families.scored'>['families'][number]['origin'];

export interface RunFacts {
  id: string;
  name: string;
  mode: string;
  preset: string;
  seed: number;
  scope: 'epoch' | 'family' | 'task';
  /** When the report was made. */
  state: 'running' | 'paused' | 'finished' | 'failed' | 'stopped' | 'interrupted';
  /** Why it ended, in words; null while it has not. */
  ending: string | null;
  /** For another reason than that all its epochs are done. */
  endedEarly: boolean;
  /** Milliseconds since the Unix epoch. */
  startedAt: number;
  /** Time of the last event. */
  lastEventAt: number;
  /** Clock time while the run executed, without pauses. */
  seconds: number;
  epochs: number;
  epochsPlanned: number;
  rollouts: number;
  /** Null where those of some attempts are not known. */
  tokens: number | null;
  parent: string | null;
  /** Whether this mode and these settings train the policy at all. */
  trains: { agent: boolean; environment: boolean };
  validationEvery: number;
}

/** The environment's reward, α, β, λ and k_min in force in one epoch. */
export type Curriculum = CurriculumInForce;

export interface EpochRow {
  epoch: number;
  curriculum: Curriculum;
  /** How its α was chosen, where it has a controller. */
  control?: Control | undefined;
  /** Names of what wrote and attempted its tasks. */
  versions: { agent: string; environment: string };
  /** Pooled over generated (static, offline) tasks; null before the epoch was scored. */
  successRate: SuccessRate | null;
  /** Base and pool tasks mixed into the batch. */
  baseSuccessRate: SuccessRate | null;
  /** Figures by domain, where the run has several. */
  domains?: DomainRow[] | undefined;
  inBand: number | null;
  environmentReward: number | null;
  families: number;
  /** Of the measured families, by their p̂ against the band in force; null where none was measured. */
  spread: { tooHard: number; inBand: number; tooEasy: number; lowest: number; highest: number } | null;
  /** The measure of its tasks' use for learning; absent where no task has two judged attempts. */
  teaching?: Teaching | undefined;
  familiesKept: number;
  effectiveSampleSize: number | null;
  /** Texts written by the environment, and their outcomes. */
  written: number;
  accepted: number;
  rejected: Record<string, number>;
  /** Null where it was not measured: nothing was written, or by an older version. */
  quality: WrittenQuality | null;
  /** Mean over the families, by name of the number: steps, menu, … */
  complexity: Record<string, number>;
  taskLength: number | null;
  answerLength: number | null;
  rollouts: number;
  truncated: number;
  invalid: number;
  checkerErrors: number;
  /** Groups that fell out (`rollouts.spare`), which no other figure but tokens counts; absent where none did. */
  fellOut?: FellOut | undefined;
  /** Groups attempted in it that count in the next epoch (`rollouts.late`); absent where none was late. */
  late?: number | undefined;
  groups: Groups | null;
  agent: {
    /** Nats per token; null when not updated or not measured. */
    klInitial: number | null;
    klUpdate: number | null;
    /** Nats per token; null when not updated or not told. */
    entropy: number | null;
    /** Of the last step, before clipping. */
    gradNorm: number | null;
    /**
     * Sampler against trainer before the update, nats per token: v1 = mean(q − p), v2 = ½ mean((q − p)²); of several
     * rounds the worst. Absent where not measured.
     */
    mismatch?: { v1: number; v2: number } | undefined;
    skipped: string | null;
  };
  environment: {
    klInitial: number | null;
    klUpdate: number | null;
    entropy: number | null;
    gradNorm: number | null;
    steps: number | null;
    stoppedBy: 'end' | 'update-cap' | 'total-cap' | null;
    skipped: string | null;
  };
  /** Versions against each other; absent where the epoch was not checked. */
  crossPlay?: CrossPlayRow | undefined;
  seconds: Seconds;
  /** Busy share of the endpoints’ slots, by the policies that share them; absent where not recorded. */
  slots?: { roles: ('agent' | 'environment')[]; busy: number }[] | undefined;
  /** When each phase was at work; absent in what older versions made. */
  timeline?: EpochTimeline | undefined;
  /** Null where those of some attempts are not known. */
  tokens: { generate: number; attempt: number | null };
}

/** Groups that fell out of an epoch, and their cost. */
export interface FellOut {
  groups: number;
  /** All groups, those that count among them. */
  of: number;
  /** Recorded ones. */
  attempts: number;
  /** Of these, and the likely ones of attempts that were ended under way. */
  tokens: number;
  /** Mean tokens that answers were expected to have; absent before any is known. */
  expected?: { counted: number; dropped: number } | undefined;
}

/** A check of versions against each other, after an epoch. */
export interface CrossPlayRow {
  /** Today's agent. */
  version: string;
  rollouts: number;
  /** The epoch whose tasks were attempted, by the agent at the end of which epoch (0: the start). */
  cells: { tasks: number; agent: number; version: string; successes: number; attempts: number }[];
  /** Why older agents could not sample: sentences. */
  absent: string[];
}

/** Attempt groups by how much they could teach: rewarded alike, all solved or not; rewarded differently; too few judged. */
export interface Groups {
  solved: number;
  hopeless: number;
  trained: number;
  broken: number;
}

/** An epoch's figures of one of several domains: updates, time and tokens belong to the whole run. */
export type DomainRow = { domain: string } & Pick<
  EpochRow,
  | 'successRate'
  | 'baseSuccessRate'
  | 'inBand'
  | 'environmentReward'
  | 'families'
  | 'spread'
  | 'teaching'
  | 'familiesKept'
  | 'effectiveSampleSize'
  | 'written'
  | 'accepted'
  | 'rejected'
  | 'quality'
  | 'complexity'
  | 'taskLength'
  | 'answerLength'
  | 'rollouts'
  | 'truncated'
  | 'invalid'
  | 'checkerErrors'
>;

/**
 * Seconds by phase; null for a phase that did not happen. `other` is when no phase was at work, `whole` the epoch on the
 * clock, both null until it is finished. Phases may overlap: their sum can be more than the whole.
 */
export interface Seconds {
  generate: number | null;
  attempt: number | null;
  agent: number | null;
  environment: number | null;
  validate: number | null;
  other: number | null;
  whole: number | null;
}

export interface ValidationRow {
  epoch: number;
  successRate: SuccessRate;
  /** Attempts that ended at their limit of tokens; null where not recorded. */
  truncated: number | null;
  answerLength: number | null;
  /** The last change of how validations are measured; null where it is measured as the run began. */
  measure: MeasureChange | null;
  /** The epoch of the validation that it is compared with: the first that was measured alike; null for that one. */
  against: number | null;
  /** Against that one, task by task; null where there is none, or `unpaired` says why. */
  change: PairedChange | null;
  /** The two are of other tasks, or an older version journaled several attempts a task by their majority alone. */
  unpaired: 'tasks' | 'attempts' | null;
  /** Of each domain, where the run has several. */
  domains?: ({ domain: string } & Omit<ValidationRow, 'epoch' | 'measure' | 'against' | 'domains'>)[] | undefined;
}

/** One measurement on the run's benchmark. */
export interface EvaluationRow {
  epoch: number;
  benchmark: string;
  tasks: number;
  /** Number of tasks in its splits, and whether these equal the authors'; null where not recorded. */
  of: number | null;
  whole: boolean | null;
  /** n, attempts a task. */
  attempts: number;
  /** pass@1 and, for n > 1, pass@n: unanswered and unjudged attempts are wrong. */
  pass: PassAtK[];
  /** Attempts that were answered and judged, where some were not; null where all were. */
  answered: { attempts: number; successes: number } | null;
  /** Attempts that ended at their limit of tokens; null where not recorded. */
  truncated: number | null;
  /** The last change of how evaluations are measured; null where it is measured as the run began. */
  measure: MeasureChange | null;
  /** The epoch of the evaluation that it is compared with: the first that was measured alike; null for that one. */
  against: number | null;
  /** Against that one, task by task; null for n > 1, or when the sets differ. */
  change: PairedChange | null;
}

/** Mean difference of the tasks' shares of solved attempts, with its 95 % interval. */
export interface PairedChange {
  /** Every task had one attempt: it was gained, lost or neither. Else `gained` are those solved more often, `lost` less often. */
  single: boolean;
  gained: number;
  lost: number;
  difference: number;
  low: number;
  high: number;
}

/** One measured task family. */
export interface FamilyPoint {
  epoch: number;
  id: string;
  /** Of several. */
  domain?: string | undefined;
  origin: Origin;
  tasks: number;
  successes: number;
  attempts: number;
  p: number;
  low: number;
  high: number;
  environmentReward: number | null;
  /** Share the difficulty filter kept, 0…1. */
  kept: number;
  /** Share of the environment update; the families of an epoch sum to 1 when any is kept. */
  weight: number;
  plan: string;
  complexity: Record<string, number>;
}

/** Settings changed by a person while the run was going; in force from this epoch on. */
export interface ChangeMark {
  epoch: number;
  /** `β 8 → 10`. */
  text: string;
  author: string;
}

export interface SkipReason {
  /** With numbers replaced, so that equal reasons count as one. */
  reason: string;
  example: string;
  epochs: number[];
}

export interface SampleAttempt {
  id: string;
  success: boolean;
  reward: number;
  stopReason: string;
  /** The agent's own turns. */
  answer: string;
  /** Conversations of a program beside the one that was answered last. */
  branches: number;
  note: string | null;
}

export interface SampleTask {
  id: string;
  family: string;
  /** Of several. */
  domain?: string | undefined;
  origin: Origin;
  successRate: SuccessRate;
  plan: string;
  complexity: Record<string, number>;
  prompt: { role: string; content: string }[];
  gold: string | null;
  /** In order: `1` solved, `0` not, `?` the checker failed. */
  attempts: string;
  /** At most one that solved the task and one that did not. */
  shown: SampleAttempt[];
}

/** Tasks of one epoch, easiest first. */
export interface SampleEpoch {
  epoch: number;
  tasks: SampleTask[];
}

export interface SettingRow {
  /** `curriculum.beta`. */
  path: string;
  value: string;
  /** The preset's value where it differs, else null. */
  preset: string | null;
  /** The setting's meaning; '' when the schema says nothing. */
  meaning: string;
}

export interface ReportData {
  version: typeof reportVersion;
  /** When this file was made, milliseconds since the Unix epoch. */
  madeAt: number;
  run: RunFacts;
  /** Plain sentences; empty as long as nothing can be concluded. */
  conclusion: string[];
  epochs: EpochRow[];
  validation: ValidationRow[];
  evaluations: EvaluationRow[];
  /** In the currency of its prices, and where it went; absent where nothing has a price. */
  money?: { spent: number; shares: { phase: string; share: number }[] } | undefined;
  families: FamilyPoint[];
  changes: ChangeMark[];
  skips: SkipReason[];
  caps: Caps;
  samples: SampleEpoch[];
  settings: SettingRow[];
  versions: { name: string; value: string }[];
  /** The parts that were thinned or shortened for this file, in words. */
  thinned: string[];
}

/**
 * The state of a run at a point of its journal: a fold over its events. Resume, the tree and the charts use the same
 * fold.
 */
import type { SeedRate } from './rewardKinds/progress.ts';
import { withLengths, type AnswerLengths } from './order/answerLengths.ts';
import { seenAfter, type Seen } from './samplers/seen.ts';
import { append } from '../shared/append.ts';
import type { FieldChange } from '../shared/experiment/changeable.ts';
import type { Controlled } from '../shared/journal/control.ts';
import { madeIn } from '../shared/journal/dropped.ts';
import type { Cut, EpochSummary, EventOf, FamilyScore, JournalEvent } from '../shared/journal/events.ts';
import { measureChange } from '../shared/journal/measures.ts';
import { measuredAnew, withoutSignals } from './samplers/measuredAnew.ts';
import type { SuccessRate } from '../shared/journal/scores.ts';
import type { TaskEdit } from '../shared/records/taskEdit.ts';
import { nothingUsed, usesOf, usedWith, type Effort, type Used } from '../shared/money/used.ts';
import { epochSeconds, secondsInPhases } from './epochTime.ts';
import type { CheckpointRef, PolicyVersion } from './ports.ts';

/** Versions of a policy that stay known: more than `rollouts.staleness` may ask for. */
const versionsKept = 12;
/** Epochs that say what the next ones will take. */
const effortsKept = 5;
/** How many epochs' family scores stay in memory: the longest buffer an environment update may ask for. */
const scoresKept = 16;

/** A policy at the end of an epoch; 0 is before the first. */
export interface PublishedVersion {
  epoch: number;
  version: PolicyVersion;
  checkpoint: CheckpointRef;
}

export interface LearnerState {
  version: PolicyVersion;
  checkpoint: CheckpointRef;
  /** The newest versions, the current one last. */
  published: readonly PublishedVersion[];
  /** Where it started: the reference of every KL. */
  initial: { version: PolicyVersion; checkpoint: CheckpointRef };
  updates: number;
}

/** The events journaled in the current epoch. */
export interface OpenEpoch {
  epoch: number;
  /** Milliseconds since the Unix epoch. */
  startedAt: number;
  /** The agent that makes its attempts, where that is not the newest (`rollouts.staleness`). */
  attemptedBy?: string;
  generated?: EventOf<'tasks.generated'>;
  drawn?: EventOf<'tasks.drawn'>;
  /** By round. */
  attempted: readonly EventOf<'rollouts.finished'>[];
  scored?: EventOf<'families.scored'>;
  /** By round. */
  agent: readonly EventOf<'agent.updated' | 'agent.skipped'>[];
  environment?: EventOf<'environment.updated' | 'environment.skipped'>;
  pools?: EventOf<'pools.grown'>;
  validated?: EventOf<'validated'>;
  evaluated?: EventOf<'evaluated'>;
  /** A budget was used up within it. */
  cut?: Cut;
  crossPlayed?: EventOf<'cross.played'>;
}

interface PoolSizes {
  agentTasks: number;
  agentTraces: number;
  environment: number;
}

const sizesOf = ({ agent, environment }: Pick<EventOf<'pools.grown'>, 'agent' | 'environment'>): PoolSizes => ({
  agentTasks: agent.tasks,
  agentTraces: agent.traces,
  environment: environment.size,
});

export interface RunState {
  /** Sequence number of the next event. */
  seq: number;
  started: EventOf<'run.started'> | null;
  finished: EventOf<'run.finished'> | null;
  agent: LearnerState | null;
  environment: LearnerState | null;
  /** The epoch under way; null between epochs. */
  open: OpenEpoch | null;
  summaries: EpochSummary[];
  /**
   * In order of time; epoch 0 is before any training. `measured` tells those apart that are not to be compared: the epoch of
   * the last change of how validations are measured, 0 before any.
   */
  validations: { epoch: number; successRate: SuccessRate; measured: number }[];
  /** Epochs after which the agent was evaluated on the benchmark. */
  evaluations: number[];
  /** Agents at the ends of epochs after which versions were compared (`crossPlay`), oldest first. */
  checks: PublishedVersion[];
  scores: ReadonlyMap<number, readonly FamilyScore[]>;
  /** The kind of the environment's reward in the newest epoch: signals in `scores` are its; null before any. */
  rewardKind: string | null;
  /** α as its controller chose it for the newest epoch; null without one. */
  controlled: Controlled | null;
  /** Tasks whose groups fell out (`rollouts.spare`), by epoch: they enter no pool. */
  dropped: ReadonlyMap<number, readonly string[]>;
  /** Tasks whose groups count in the next epoch (`rollouts.late`), by the epoch that attempted them. */
  late: ReadonlyMap<number, readonly string[]>;
  /** Empty where neither `rollouts.order` nor `rollouts.spare` reads them. */
  lengths: AnswerLengths;
  /** p̂ of each seed's newest family, and which version of the agent attempted it. */
  seedRates: ReadonlyMap<string, SeedRate>;
  /** Tasks as a sampler knows them, by id; empty under `uniform`. An epoch’s own attempts count from the next one on. */
  seen: ReadonlyMap<string, Seen>;
  /** Valid tasks each epoch added to the agent pool: epoch → how many. */
  poolTasks: ReadonlyMap<number, number>;
  pools: PoolSizes & {
    /** By domain, where the run has several. */
    domains?: ReadonlyMap<string, PoolSizes>;
  };
  /** `seconds` on the clock while the run was carried on. */
  spent: { tokens: number; rollouts: number; seconds: number };
  /** Tokens by use, where they have prices; else all that were sampled count as such. */
  used: Used;
  /** Time and tokens of the newest epochs, and of their updates alone. */
  recent: readonly { whole: Effort; updates: Effort }[];
  /** The newest epoch ended early because this was used up; null where it did not. */
  cut: Cut | null;
  /** Whether any text of the environment has become a task. */
  usable: boolean;
  /** The newest consecutive epochs whose texts all became no task, since a setting that shapes them last changed. */
  unusable: readonly Pick<EventOf<'tasks.generated'>, 'epoch' | 'written' | 'rejected'>[];
  /** Settings changed while the run went, in order; later ones win. */
  changes: readonly (FieldChange & {
    epoch: number;
    /** It came after the epoch had begun. */
    late?: true;
  })[];
  /** Edits of tasks by hand, in order; `epoch` is the first in which an edit applies. */
  edits: readonly { epoch: number; edit: TaskEdit }[];
  /** Verdicts laid over the recorded ones that were not taken back, the newest last. Nothing is trained on them. */
  rescorings: readonly Rescoring[];
}

/** Attempts judged again by another reward. */
export type Rescoring = EventOf<'verdicts.rescored'>;

/** Since which epoch validations are measured as they are; 0: from the start. */
export const validationsMeasured = ({ changes }: Pick<RunState, 'changes'>): number =>
  measureChange('validation', changes)?.epoch ?? 0;

/** An epoch that has just begun. */
export const openEpoch = (epoch: number, startedAt: number): OpenEpoch => ({
  epoch,
  startedAt,
  attempted: [],
  agent: [],
});

export const emptyState: RunState = {
  seq: 0,
  started: null,
  finished: null,
  agent: null,
  environment: null,
  open: null,
  summaries: [],
  validations: [],
  evaluations: [],
  checks: [],
  scores: new Map(),
  controlled: null,
  dropped: new Map(),
  late: new Map(),
  lengths: new Map(),
  rewardKind: null,
  seedRates: new Map(),
  seen: new Map(),
  poolTasks: new Map(),
  pools: { agentTasks: 0, agentTraces: 0, environment: 0 },
  spent: { tokens: 0, rollouts: 0, seconds: 0 },
  used: nothingUsed,
  recent: [],
  cut: null,
  usable: false,
  unusable: [],
  changes: [],
  edits: [],
  rescorings: [],
};

function spend(state: RunState, more: { tokens?: number; rollouts?: number; seconds?: number }): RunState['spent'] {
  return {
    tokens: state.spent.tokens + (more.tokens ?? 0),
    rollouts: state.spent.rollouts + (more.rollouts ?? 0),
    seconds: state.spent.seconds + (more.seconds ?? 0),
  };
}

/** The cost of a measurement: within an epoch its time is part of the epoch's. */
function measured({ tokens, seconds }: EventOf<'validated' | 'evaluated'>, open: OpenEpoch | null) {
  return open === null ? { tokens, seconds } : { tokens };
}

function updated(learner: LearnerState | null, event: EventOf<'agent.updated' | 'environment.updated'>) {
  if (learner === null) return null;
  const { epoch, version, checkpoint } = event;
  const published = [...learner.published, { epoch, version, checkpoint }].slice(-versionsKept);
  return { ...learner, version, checkpoint, published, updates: learner.updates + 1 };
}

/** A budget that left nothing to write with says nothing about the environment. */
function unusableAfter(before: RunState['unusable'], event: EventOf<'tasks.generated'>): RunState['unusable'] {
  const { epoch, written, accepted, rejected, cut } = event;
  if (accepted > 0) return [];
  return cut === undefined ? [...before, { epoch, written, rejected }] : before;
}

/** The first one stands. */
const cutOf = ({ cut }: { cut?: Cut | undefined }): Pick<OpenEpoch, 'cut'> => (cut === undefined ? {} : { cut });

function effortsOf(seconds: number, phases: readonly (JournalEvent | undefined)[]): RunState['recent'][number] {
  const events = phases.filter((event) => event !== undefined);
  const updates = events.filter(({ type }) => type === 'agent.updated' || type === 'environment.updated');
  const usedBy = (some: readonly JournalEvent[]): Used => some.flatMap(usesOf).reduce(usedWith, nothingUsed);
  return {
    whole: { seconds, used: usedBy(events) },
    updates: { seconds: secondsInPhases(updates), used: usedBy(updates) },
  };
}

/** How a state's lists grow: by a copy, or in place while no reader holds them. */
interface Growth {
  list<T>(before: T[], more: readonly T[]): T[];
  map<K, V>(before: ReadonlyMap<K, V>, key: K, value: V): ReadonlyMap<K, V>;
  entries<K, V>(before: ReadonlyMap<K, V>, more: readonly (readonly [K, V])[]): ReadonlyMap<K, V>;
}

const byCopy: Growth = {
  list: (before, more) => [...before, ...more],
  map: (before, key, value) => new Map([...before, [key, value]]),
  entries(before, more) {
    const own = new Map(before);
    for (const [key, value] of more) own.set(key, value);
    return own;
  },
};

function withScores(state: RunState, event: EventOf<'families.scored'>): RunState['scores'] {
  const kept = [...state.scores].filter(([epoch]) => epoch > event.epoch - scoresKept);
  return new Map([...kept, [event.epoch, event.families]]);
}

/** Of an epoch's families, by seed. @param version of the agent that attempted them */
export function seedRatesOf({ families }: EventOf<'families.scored'>, version: string): [string, SeedRate][] {
  return families.flatMap(({ seed, successRate: { p } }): [string, SeedRate][] =>
    seed === null || p === null ? [] : [[seed, { p, version }]],
  );
}

/** The state after one more event. */
export const applyEvent = (before: RunState, event: JournalEvent): RunState => after(before, event, byCopy);

/** The same fold over many events: lists grow in place between reads, so that the cost is linear in the journal. */
export class StateFold {
  #state: RunState;
  /** Lists that only this fold has seen. */
  #own = new WeakSet();
  readonly #inPlace: Growth = {
    list: (before, more) => {
      const own = this.#own.has(before) ? before : [...before];
      append(own, more);
      this.#own.add(own);
      return own;
    },
    map: (before, key, value) => {
      const own = before instanceof Map && this.#own.has(before) ? before : new Map(before);
      own.set(key, value);
      this.#own.add(own);
      return own;
    },
    entries: (before, more) => {
      const own = before instanceof Map && this.#own.has(before) ? before : new Map(before);
      for (const [key, value] of more) own.set(key, value);
      this.#own.add(own);
      return own;
    },
  };

  constructor(from = emptyState) {
    this.#state = from;
  }

  add(event: JournalEvent): void {
    this.#state = after(this.#state, event, this.#inPlace);
  }

  /** Immutable from now on: later events are folded into copies. */
  get state(): RunState {
    this.#own = new WeakSet();
    return this.#state;
  }
}

function after(before: RunState, event: JournalEvent, grow: Growth): RunState {
  const used = usesOf(event).reduce(usedWith, before.used);
  const state = { ...before, seq: event.seq + 1, used };
  const open = state.open;
  switch (event.type) {
    case 'run.started': {
      const learner = (name: 'agent' | 'environment'): LearnerState => {
        const initial = { version: event[name], checkpoint: event.checkpoints[name] };
        return { ...initial, initial, published: [{ epoch: 0, ...initial }], updates: 0 };
      };
      return { ...state, started: event, agent: learner('agent'), environment: learner('environment') };
    }
    case 'epoch.started': {
      const rewardKind = event.settings.reward?.kind ?? 'kernel';
      const isSameKind = state.rewardKind === null || state.rewardKind === rewardKind;
      return {
        ...state,
        rewardKind,
        scores: isSameKind ? state.scores : withoutSignals(state.scores),
        controlled: event.control === undefined ? null : { ...event.control, alpha: event.settings.alpha },
        open: {
          ...openEpoch(event.epoch, event.at),
          ...(event.sampled !== undefined && { attemptedBy: event.sampled.agent.name }),
        },
      };
    }
    case 'tasks.generated': {
      const { accepted } = event;
      return {
        ...state,
        open: open && { ...open, generated: event, ...cutOf(event) },
        spent: spend(state, { tokens: event.tokens }),
        usable: state.usable || accepted > 0,
        unusable: unusableAfter(state.unusable, event),
      };
    }
    case 'tasks.drawn':
      return { ...state, open: open && { ...open, drawn: event } };
    case 'rollouts.finished': {
      const { rollouts, tokens } = madeIn(event);
      const spent = spend(state, { rollouts, tokens: tokens ?? 0 });
      const out = event.dropped?.groups.map(({ task }) => task) ?? [];
      return {
        ...state,
        ...(out.length > 0 && {
          dropped: grow.map(state.dropped, event.epoch, [...(state.dropped.get(event.epoch) ?? []), ...out]),
        }),
        ...(event.late !== undefined && { late: grow.map(state.late, event.epoch, event.late) }),
        open: open && { ...open, attempted: [...open.attempted, event], ...cutOf(event) },
        spent,
        lengths: withLengths(state.lengths, event),
      };
    }
    case 'families.scored':
      return {
        ...state,
        open: open && { ...open, scored: event },
        scores: withScores(state, event),
        seedRates: grow.entries(
          state.seedRates,
          seedRatesOf(event, open?.attemptedBy ?? state.agent?.version.name ?? ''),
        ),
      };
    case 'agent.updated':
      return { ...state, open: open && { ...open, agent: [...open.agent, event] }, agent: updated(state.agent, event) };
    case 'agent.skipped':
      return { ...state, open: open && { ...open, agent: [...open.agent, event] } };
    case 'environment.updated':
      return {
        ...state,
        open: open && { ...open, environment: event },
        environment: updated(state.environment, event),
      };
    case 'environment.skipped':
      return { ...state, open: open && { ...open, environment: event } };
    case 'pools.grown':
      return {
        ...state,
        open: open && { ...open, pools: event },
        poolTasks: grow.map(state.poolTasks, event.epoch, event.agent.addedTasks),
        pools: {
          ...sizesOf(event),
          ...(event.domains && { domains: new Map(event.domains.map((own) => [own.domain, sizesOf(own)])) }),
        },
      };
    case 'validated':
      return {
        ...state,
        open: open && { ...open, validated: event },
        validations: grow.list(state.validations, [
          { epoch: event.epoch, successRate: event.successRate, measured: validationsMeasured(state) },
        ]),
        spent: spend(state, measured(event, open)),
      };
    case 'evaluated':
      return {
        ...state,
        open: open && { ...open, evaluated: event },
        evaluations: grow.list(state.evaluations, [event.epoch]),
        spent: spend(state, measured(event, open)),
      };
    case 'cross.played': {
      const { epoch } = event;
      const { agent } = state;
      return {
        ...state,
        open: open && { ...open, crossPlayed: event },
        checks:
          agent === null
            ? state.checks
            : grow.list(state.checks, [{ epoch, version: agent.version, checkpoint: agent.checkpoint }]),
      };
    }
    case 'epoch.finished': {
      const { startedAt, generated, attempted, scored, agent, environment, validated, evaluated } =
        open ?? openEpoch(event.epoch, event.at);
      const phases = [generated, ...attempted, ...agent, environment, validated, evaluated];
      const seconds = epochSeconds(event, startedAt, phases);
      return {
        ...state,
        open: null,
        cut: open?.cut ?? null,
        recent: [...state.recent, effortsOf(seconds, phases)].slice(-effortsKept),
        summaries: grow.list(state.summaries, [{ ...event.summary, seconds }]),
        ...(scored?.measures && {
          seen: grow.entries(state.seen, seenAfter(state.seen, event.epoch, scored.measures)),
        }),
        spent: spend(state, { seconds }),
      };
    }
    case 'settings.changed': {
      const { epoch } = event;
      const changes = event.changes.map(({ field, to }) => ({ field, to, epoch }));
      const writesAnew = event.changes.some(({ field }) => field.startsWith('generation.'));
      return {
        ...state,
        changes: [
          ...state.changes,
          ...changes.map((change) => ({ ...change, ...(open !== null && { late: true as const }) })),
        ],
        ...(writesAnew && { unusable: [] }),
        ...measuredAnew(state.seen, changes, open === null),
      };
    }
    case 'tasks.edited': {
      const { epoch } = event;
      return { ...state, edits: [...state.edits, ...event.edits.map((edit) => ({ epoch, edit }))] };
    }
    case 'verdicts.rescored':
      return { ...state, rescorings: [...state.rescorings, event] };
    case 'rescoring.withdrawn':
      return { ...state, rescorings: state.rescorings.filter(({ rescoring }) => rescoring !== event.rescoring) };
    case 'run.finished':
      return { ...state, finished: event };
  }
}

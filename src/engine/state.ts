/**
 * What a run is at a point of its journal: a fold over its events. The same fold feeds resume, the tree and the charts.
 */
import type { SeedRate } from './curricula/progress.ts';
import { append } from '../shared/append.ts';
import type { FieldChange } from '../shared/experiment/changeable.ts';
import type { EpochSummary, EventOf, FamilyScore, JournalEvent, SuccessRate } from '../shared/journal/events.ts';
import type { TaskEdit } from '../shared/records/taskEdit.ts';
import { epochSeconds } from './epochTime.ts';
import type { CheckpointRef, PolicyVersion } from './ports.ts';

/** How many epochs' family scores stay in memory: the longest buffer an environment update may ask for. */
const scoresKept = 16;

export interface LearnerState {
  version: PolicyVersion;
  checkpoint: CheckpointRef;
  /** Where it started: the reference of every KL. */
  initial: { version: PolicyVersion; checkpoint: CheckpointRef };
  updates: number;
}

/** What has been journaled of the epoch that is under way. */
export interface OpenEpoch {
  epoch: number;
  /** Milliseconds since the Unix epoch. */
  startedAt: number;
  generated?: EventOf<'tasks.generated'>;
  /** By round. */
  attempted: readonly EventOf<'rollouts.finished'>[];
  scored?: EventOf<'families.scored'>;
  /** By round. */
  agent: readonly EventOf<'agent.updated' | 'agent.skipped'>[];
  environment?: EventOf<'environment.updated' | 'environment.skipped'>;
  pools?: EventOf<'pools.grown'>;
  validated?: EventOf<'validated'>;
  evaluated?: EventOf<'evaluated'>;
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
  /** In order of time; epoch 0 is before any training. */
  validations: { epoch: number; successRate: SuccessRate }[];
  /** Epochs after which the agent was evaluated on the benchmark. */
  evaluations: number[];
  scores: ReadonlyMap<number, readonly FamilyScore[]>;
  /** p̂ of each seed's newest family, and which version of the agent attempted it. */
  seedRates: ReadonlyMap<string, SeedRate>;
  /** Valid tasks each epoch added to the agent pool: epoch → how many. */
  poolTasks: ReadonlyMap<number, number>;
  pools: PoolSizes & {
    /** By domain, where the run has several. */
    domains?: ReadonlyMap<string, PoolSizes>;
  };
  /** `seconds` on the clock while the run was carried on. */
  spent: { tokens: number; rollouts: number; seconds: number };
  /** Whether any text of the environment has become a task. */
  usable: boolean;
  /** The newest epochs in a row whose texts of the environment all became no task, since what shapes them was changed. */
  unusable: readonly Pick<EventOf<'tasks.generated'>, 'epoch' | 'written' | 'rejected'>[];
  /** Settings changed while the run went, in order; later ones win. */
  changes: readonly (FieldChange & { epoch: number })[];
  /** What people did to tasks by hand, in order; `epoch` is the first in which it holds. */
  edits: readonly { epoch: number; edit: TaskEdit }[];
  /** Verdicts laid over the recorded ones that were not taken back, the newest last. Nothing is trained on them. */
  rescorings: readonly Rescoring[];
}

/** Attempts judged again by another reward. */
export type Rescoring = EventOf<'verdicts.rescored'>;

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
  scores: new Map(),
  seedRates: new Map(),
  poolTasks: new Map(),
  pools: { agentTasks: 0, agentTraces: 0, environment: 0 },
  spent: { tokens: 0, rollouts: 0, seconds: 0 },
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

/** What a measurement took: within an epoch its time is part of the epoch's. */
function measured({ tokens, seconds }: EventOf<'validated' | 'evaluated'>, open: OpenEpoch | null) {
  return open === null ? { tokens, seconds } : { tokens };
}

function updated(learner: LearnerState | null, event: EventOf<'agent.updated' | 'environment.updated'>) {
  if (learner === null) return null;
  return { ...learner, version: event.version, checkpoint: event.checkpoint, updates: learner.updates + 1 };
}

/** How lists of a state grow: by a copy, or in place where nobody else has seen them. */
interface Growth {
  list<T>(before: T[], more: readonly T[]): T[];
  map<K, V>(before: ReadonlyMap<K, V>, key: K, value: V): ReadonlyMap<K, V>;
  entries<K, V>(before: ReadonlyMap<K, V>, more: readonly (readonly [K, V])[]): ReadonlyMap<K, V>;
}

const byCopy: Growth = {
  list: (before, more) => [...before, ...more],
  map: (before, key, value) => new Map([...before, [key, value]]),
  entries: (before, more) => new Map([...before, ...more]),
};

function withScores(state: RunState, event: EventOf<'families.scored'>): RunState['scores'] {
  const kept = [...state.scores].filter(([epoch]) => epoch > event.epoch - scoresKept);
  return new Map([...kept, [event.epoch, event.families]]);
}

function seedRatesOf({ families }: EventOf<'families.scored'>, version: string): [string, SeedRate][] {
  return families.flatMap(({ seed, successRate: { p } }): [string, SeedRate][] =>
    seed === null || p === null ? [] : [[seed, { p, version }]],
  );
}

/** The state after one more event. */
export const applyEvent = (before: RunState, event: JournalEvent): RunState => after(before, event, byCopy);

/** The same fold over many events: as long as nobody looks, lists grow in place, so that a journal costs its length. */
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

  /** Never changes any more: what comes later goes into copies. */
  get state(): RunState {
    this.#own = new WeakSet();
    return this.#state;
  }
}

function after(before: RunState, event: JournalEvent, grow: Growth): RunState {
  const state = { ...before, seq: event.seq + 1 };
  const open = state.open;
  switch (event.type) {
    case 'run.started': {
      const learner = (name: 'agent' | 'environment'): LearnerState => {
        const initial = { version: event[name], checkpoint: event.checkpoints[name] };
        return { ...initial, initial, updates: 0 };
      };
      return { ...state, started: event, agent: learner('agent'), environment: learner('environment') };
    }
    case 'epoch.started':
      return { ...state, open: openEpoch(event.epoch, event.at) };
    case 'tasks.generated': {
      const { epoch, written, accepted, rejected } = event;
      return {
        ...state,
        open: open && { ...open, generated: event },
        spent: spend(state, { tokens: event.tokens }),
        usable: state.usable || accepted > 0,
        unusable: accepted > 0 ? [] : [...state.unusable, { epoch, written, rejected }],
      };
    }
    case 'rollouts.finished': {
      const spent = spend(state, { tokens: event.tokens, rollouts: event.rollouts });
      return { ...state, open: open && { ...open, attempted: [...open.attempted, event] }, spent };
    }
    case 'families.scored':
      return {
        ...state,
        open: open && { ...open, scored: event },
        scores: withScores(state, event),
        seedRates: grow.entries(state.seedRates, seedRatesOf(event, state.agent?.version.name ?? '')),
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
        validations: grow.list(state.validations, [{ epoch: event.epoch, successRate: event.successRate }]),
        spent: spend(state, measured(event, open)),
      };
    case 'evaluated':
      return {
        ...state,
        open: open && { ...open, evaluated: event },
        evaluations: grow.list(state.evaluations, [event.epoch]),
        spent: spend(state, measured(event, open)),
      };
    case 'epoch.finished': {
      const { startedAt, generated, attempted, agent, environment, validated, evaluated } =
        open ?? openEpoch(event.epoch, event.at);
      const phases = [generated, ...attempted, ...agent, environment, validated, evaluated];
      const seconds = epochSeconds(event, startedAt, phases);
      return {
        ...state,
        open: null,
        summaries: grow.list(state.summaries, [{ ...event.summary, seconds }]),
        spent: spend(state, { seconds }),
      };
    }
    case 'settings.changed': {
      const { epoch } = event;
      const writesAnew = event.changes.some(({ field }) => field.startsWith('generation.'));
      return {
        ...state,
        changes: [...state.changes, ...event.changes.map(({ field, to }) => ({ epoch, field, to }))],
        ...(writesAnew ? { unusable: [] } : {}),
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

/** A host for the calibration page under test: a run's journal folded as the extension folds it, and what the page asks. */
import { curriculumFactsOf } from '../../../src/features/calibration/host/calibrationFacts.ts';
import type { CalibrationFold } from '../../../src/features/calibration/host/calibrationFold.ts';
import type { Experiment } from '../../../src/shared/experiment/schema.ts';
import type { FamilyScore, JournalEvent } from '../../../src/shared/journal/events.ts';
import type { Channel } from '../../../src/shared/rpc/channel.ts';
import {
  calibrationEvents,
  calibrationRequests,
  type CalibrationFacts,
  type CalibrationProgress,
} from '../../../src/features/calibration/contract.ts';
import { ChartedRun } from './chartedRun.ts';

export class ScriptedHost {
  readonly #run: ChartedRun;
  facts: CalibrationFacts;
  progress: CalibrationProgress = { phases: [], pausing: 'no', silences: [] };
  /** Requests in order, as `name` and what came with it. */
  readonly asked: { name: string; params: unknown }[] = [];
  /** Files that the page made. */
  readonly saved: { name: string; kind: 'csv' | 'svg'; text: string }[] = [];
  /** The error that refuses `apply`. */
  refusal: Error | null = null;
  readonly #families = new Map<number, readonly FamilyScore[]>();

  constructor(experiment: Experiment, events: Iterable<JournalEvent>, facts: Partial<CalibrationFacts> = {}) {
    this.#run = new ChartedRun(experiment);
    const { environment } = experiment;
    this.facts = {
      run: '/runs/one',
      id: 'one',
      name: experiment.name,
      mode: experiment.mode,
      preset: experiment.preset,
      seed: experiment.seed,
      state: 'finished',
      writer: null,
      trusted: true,
      ending: null,
      epoch: experiment.epochs,
      epochsPlanned: experiment.epochs,
      curriculum: curriculumFactsOf(experiment),
      minFamilies: environment.minFamilies,
      caps: {
        ...{ update: environment.updateKlCap, total: environment.totalKlCap },
        since: { update: null, total: null },
      },
      trains: { agent: experiment.agent.train, environment: experiment.mode === 'coevolve' },
      validationEvery: experiment.validation.every,
      ...facts,
    };
    for (const event of events) this.#take(event);
  }

  get fold(): CalibrationFold {
    return this.#run.fold;
  }

  /** For `onOpen` of a page. */
  open(channel: Channel): void {
    this.#answer(channel);
    channel.emit(calibrationEvents.opened, { facts: this.facts, progress: this.progress });
    for (const data of this.fold.all()) channel.emit(calibrationEvents.data, data);
    channel.emit(calibrationEvents.complete, null);
  }

  /** More of the journal, as a live run brings it. */
  append(channel: Channel, events: Iterable<JournalEvent>): void {
    for (const event of events) this.#take(event);
    for (const data of this.fold.take()) channel.emit(calibrationEvents.data, data);
  }

  tell(channel: Channel, facts: Partial<CalibrationFacts>, progress: CalibrationProgress = this.progress): void {
    this.facts = { ...this.facts, ...facts };
    this.progress = progress;
    channel.emit(calibrationEvents.facts, this.facts);
    channel.emit(calibrationEvents.progress, progress);
  }

  #take(event: JournalEvent): void {
    this.#run.add(event);
    if (event.type === 'families.scored') this.#families.set(event.epoch, event.families);
  }

  #answer(channel: Channel): void {
    const { details, filter, reveal, steer, apply, save } = calibrationRequests;
    const note = (name: string, params: unknown): null => {
      this.asked.push({ name, params });
      return null;
    };
    channel.handle(details, ({ epoch }) =>
      (this.#families.get(epoch) ?? []).map(({ id, plan, complexity }) => ({ id, plan, complexity })),
    );
    channel.handle(filter, (params) => note('filter', params));
    channel.handle(reveal, (params) => note('reveal', params));
    channel.handle(steer, (params) => note('steer', params));
    channel.handle(apply, (params) => {
      note('apply', params);
      if (this.refusal !== null) throw this.refusal;
      return null;
    });
    channel.handle(save, (params) => {
      this.saved.push(params);
      return true;
    });
  }
}

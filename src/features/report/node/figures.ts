/** The numbers of a run's finished epochs, for programs that draw them. Made from its journal alone. */
import { epochScalars, evaluationScalars, validationScalars, type Scalar } from '../core/scalars.ts';
import { CourseFold } from './course.ts';
import type { ReportSource } from './source.ts';

export interface Figures {
  /** Milliseconds since the Unix epoch; null for an empty journal. */
  begun: number | null;
  /** Of the run's last event; null while it may continue. */
  ended: number | null;
  /** Finished epochs, and 0 where the run was measured before any training. */
  steps: readonly Step[];
}

interface Step {
  step: number;
  /** Milliseconds since the Unix epoch. */
  at: number;
  /** At least one. */
  scalars: readonly Scalar[];
}

/** Of finished epochs alone: the figures of the one at work may change. */
export async function figuresOf(source: Pick<ReportSource, 'events'>): Promise<Figures> {
  const fold = new CourseFold();
  let [begun, ended]: [number | null, number | null] = [null, null];
  /** Milliseconds by step. Of step 0, the measurements before any training. */
  const moments = new Map<number, number>();
  for await (const event of source.events()) {
    fold.add(event);
    begun ??= event.at;
    if (event.type === 'epoch.finished') moments.set(event.epoch, event.at);
    else if (event.type === 'epoch.started' && event.epoch === 1) moments.set(0, event.at);
    else if (event.type === 'run.finished') ended = event.at;
  }
  const { epochs, validation, evaluations } = fold.course();
  const steps = Array.from(moments, ([step, at]) => ({
    ...{ step, at },
    scalars: [
      ...epochs.filter(({ epoch }) => epoch === step).flatMap(epochScalars),
      ...validation.filter(({ epoch }) => epoch === step).flatMap(validationScalars),
      ...evaluations.filter(({ epoch }) => epoch === step).flatMap(evaluationScalars),
    ],
  }));
  return { begun, ended, steps: steps.filter(({ scalars }) => scalars.length > 0) };
}

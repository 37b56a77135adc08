/** A run's identity, state and settings in force: the dashboard's header and the reference of its charts. */
import { inEpoch } from '../../../engine/curricula/course.ts';
import type { CalibrationFacts, CalibrationProgress } from '../contract.ts';
import type { ActiveRun, FollowedRun, KnownRun } from '../../../host/runs/runs.ts';
import { capsInForce } from '../../../runs/facts/capsInForce.ts';
import { currentEpoch } from '../../../runs/facts/currentEpoch.ts';
import type { Curriculum, Experiment } from '../../../shared/experiment/schema.ts';
import { trainsEnvironment } from '../../../shared/experiment/trains.ts';
import { inWords } from '../../../shared/journal/recordedWords.ts';
import { weighingOf } from '../../../shared/journal/curriculum.ts';
import { defined } from '../../../shared/defined.ts';

/** @param known undefined while the list of runs is not read, or for a run outside it */
export function factsOf(followed: FollowedRun, known: KnownRun | undefined, trusted: boolean): CalibrationFacts {
  const { manifest, experiment, state } = followed;
  const { mode, preset, seed, epochs, environment, agent, validation } = experiment;
  return {
    run: followed.dir,
    id: manifest.id,
    name: known?.head.name ?? experiment.name,
    mode,
    preset,
    seed,
    state: known?.head.state ?? (state.finished === null ? 'interrupted' : 'finished'),
    writer: known?.writer ?? null,
    trusted,
    ending: state.finished && inWords(state.finished.note),
    epoch: currentEpoch(state),
    epochsPlanned: epochs,
    curriculum: curriculumFactsOf(inEpoch(experiment, Math.max(1, currentEpoch(state)), state.controlled)),
    minFamilies: environment.minFamilies,
    caps: capsInForce(manifest, state),
    trains: { agent: agent.train, environment: trainsEnvironment(experiment) },
    validationEvery: validation.every,
  };
}

/** The reference of the charts. A curriculum's file is no part of it: pages draw its values alone. */
export function curriculumFactsOf(experiment: Experiment): CalibrationFacts['curriculum'] {
  const { reward, alpha, beta, kMin, scope, estimate, filter, warmupEpochs } = experiment.curriculum;
  const alphaBy = moverOf(experiment.curriculum);
  const { lambda, keepBest } = weighingOf(experiment);
  const { kind, repetition } = reward;
  const cutsOff = experiment.rollouts.cutOff === 'off' ? undefined : (true as const);
  return {
    ...{ reward: { kind, repetition }, alpha, beta, lambda, kMin, scope, estimate, filter, warmupEpochs },
    ...defined({ keepBest, alphaBy, cutsOff }),
  };
}

function moverOf({ alphaPoints, control }: Curriculum): CalibrationFacts['curriculum']['alphaBy'] {
  if (control.kind !== 'off') return 'controller';
  return alphaPoints === null ? undefined : 'course';
}

/** The activity of a run that this window executes; unknown for runs elsewhere. */
export function progressOf(active: ActiveRun | undefined): CalibrationProgress {
  if (active === undefined) return { phases: [], pausing: 'no', silences: [] };
  const phases = active.phases.map(({ phase, epoch, done, total, job = null }) => ({
    ...{ phase, epoch, done, total, job },
  }));
  return { phases, pausing: active.pausing, silences: [...active.silences] };
}

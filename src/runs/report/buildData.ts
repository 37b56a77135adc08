/** A run's events and chosen records as the data its report shows. Pure but for what `source` reads. */
import type { EventOf } from '../../shared/journal/events.ts';
import type { Experiment } from '../../shared/experiment/schema.ts';
import { reportVersion, type ReportData, type RunFacts, type SampleEpoch } from '../../shared/report/data.ts';
import { conclude } from '../conclusion.ts';
import type { Manifest } from '../manifest.ts';
import { CourseFold, type Course } from './course.ts';
import { sampleEpochs, sampleTask, sampleTasks } from './samples.ts';
import { settingRows } from './settings.ts';
import type { ReportSource } from './source.ts';
import { thinEpochs, thinFamilies } from './thin.ts';

/** How much of a big run goes into the file. */
export interface Limits {
  epochs: number;
  families: number;
  /** Per sampled epoch; two traces each at most. */
  tasks: number;
  /** Characters of one prompt, gold or answer. */
  text: number;
}

export const defaultLimits: Limits = { epochs: 1000, families: 5000, tasks: 8, text: 4000 };

/** @param madeAt milliseconds since the Unix epoch */
export async function buildReportData(source: ReportSource, madeAt: number, limits: Limits): Promise<ReportData> {
  const fold = new CourseFold();
  for await (const event of source.events()) fold.add(event);
  const course = fold.course();
  const { samples, missing } = await sampled(source, course, limits);
  const { experiment } = source.manifest;
  const data: ReportData = {
    version: reportVersion,
    madeAt,
    run: runFacts(source.manifest, course, (await source.head()).state),
    conclusion: course.epochs.length === 0 ? [] : [...conclude(course.light).sentences],
    epochs: course.epochs,
    validation: course.validation,
    families: course.families,
    changes: course.changes,
    skips: course.skips,
    caps: { update: experiment.environment.updateKlCap, total: experiment.environment.totalKlCap },
    samples,
    settings: settingRows(experiment),
    versions: Object.entries(source.manifest.versions).map(([name, value]) => ({ name, value: String(value) })),
    thinned: missing,
  };
  return thinnedTo(data, limits);
}

/** Drops epochs and families beyond the limits, and says so. */
function thinnedTo(data: ReportData, limits: Limits): ReportData {
  const always = new Set(data.changes.map(({ epoch }) => epoch));
  const kept = new Set(
    thinEpochs(
      data.epochs.map(({ epoch }) => epoch),
      limits.epochs,
      always,
    ),
  );
  const families = thinFamilies(
    data.families.filter(({ epoch }) => kept.has(epoch)),
    limits.families,
  );
  const validated = new Set(
    thinEpochs(
      data.validation.map(({ epoch }) => epoch),
      limits.epochs,
      new Set(),
    ),
  );
  const thinned: string[] = [];
  if (kept.size < data.epochs.length) {
    thinned.push(`${kept.size} of ${data.epochs.length} epochs are drawn, evenly spaced.`);
  }
  if (families.length < data.families.length) {
    thinned.push(
      `${families.length} of ${data.families.length} families are drawn, evenly along p̂ within each epoch; ` +
        'means, intervals and counts are over all of them.',
    );
  }
  return {
    ...data,
    epochs: data.epochs.filter(({ epoch }) => kept.has(epoch)),
    validation: data.validation.filter(({ epoch }) => validated.has(epoch)),
    families,
    thinned: [...thinned, ...data.thinned],
  };
}

async function sampled(
  source: ReportSource,
  course: Course,
  limits: Limits,
): Promise<{ samples: SampleEpoch[]; missing: string[] }> {
  const samples: SampleEpoch[] = [];
  let lost = 0;
  for (const epoch of sampleEpochs(course.tasks)) {
    const traces = await source.tracesOf(epoch);
    const tasks: SampleEpoch['tasks'] = [];
    for (const chosen of sampleTasks(course.tasks.get(epoch) ?? [], limits.tasks)) {
      const task = await source.task(chosen.id);
      if (task === undefined) lost += 1;
      else tasks.push(sampleTask(chosen, task, traces, limits.text));
    }
    samples.push({ epoch, tasks });
  }
  const missing = lost === 0 ? [] : [`${lost} sample tasks are named in the journal but not in tasks.jsonl.`];
  return { samples, missing };
}

const endings: Record<EventOf<'run.finished'>['reason'], string> = {
  epochs: 'all epochs done',
  'budget-tokens': 'token budget used up',
  'budget-rollouts': 'rollout budget used up',
  'budget-seconds': 'time budget used up',
  'early-stop': 'stopped early: validation no longer improved',
};

function runFacts(manifest: Manifest, course: Course, state: RunFacts['state']): RunFacts {
  const { experiment, parent } = manifest;
  const { started, finished } = course;
  const created = Date.parse(manifest.createdAt);
  return {
    id: manifest.id,
    name: experiment.name,
    mode: experiment.mode,
    preset: experiment.preset,
    seed: experiment.seed,
    scope: experiment.curriculum.scope,
    state,
    ending: finished === null ? null : endings[finished.reason],
    startedAt: started?.at ?? created,
    lastEventAt: course.lastAt === 0 ? created : course.lastAt,
    seconds: course.seconds,
    epochs: course.epochs.filter(({ successRate }) => successRate !== null).length,
    epochsPlanned: experiment.epochs,
    rollouts: course.rollouts,
    tokens: course.tokens,
    parent: parent === null ? null : `${parent.run}, epoch ${parent.epoch}`,
    trains: trains(experiment),
    validationEvery: experiment.validation.every,
  };
}

/** Only `coevolve` trains the environment: every other mode keeps it frozen or does without it. */
function trains({ agent, mode }: Experiment): RunFacts['trains'] {
  return { agent: agent.train, environment: mode === 'coevolve' };
}

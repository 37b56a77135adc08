/** A run's events and chosen records, gathered once, and as the data its report shows. */
import { changesOf } from '../../../runs/journal/experimentNow.ts';
import { countsIn, type LateTasks } from '../../../shared/journal/counted.ts';
import type { Ending, JournalEvent } from '../../../shared/journal/events.ts';
import type { Experiment } from '../../../shared/experiment/schema.ts';
import type { Task } from '../../../shared/records/task.ts';
import type { Trace } from '../../../shared/records/trace.ts';
import { reportVersion, type ReportData, type RunFacts } from '../../../shared/report/data.ts';
import { capsInForce } from '../../../runs/facts/capsInForce.ts';
import { conclude } from '../../../runs/facts/conclusion.ts';
import { SpendingFold } from '../../../runs/facts/spending.ts';
import { WorkedTime } from '../../../runs/facts/workedTime.ts';
import { spentOn } from '../../../engine/spending/forecast.ts';
import { StateFold } from '../../../engine/state.ts';
import { defined } from '../../../shared/defined.ts';
import { pricesOf } from '../../../shared/money/prices.ts';
import type { Manifest } from '../../../runs/store/manifest.ts';
import { CourseFold, type Course } from './course.ts';
import { attemptsOf, sampleEpochs, sampleTask, sampleTasks, TextCut, type SampledTask } from './samples.ts';
import { settingRows } from '../../../runs/facts/settings.ts';
import type { ReportSource } from './source.ts';
import { evenly, thinEpochs, thinFamilies } from './thin.ts';
import { trainsEnvironment } from '../../../shared/experiment/trains.ts';

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

/** A run's data, read once; the limits of the report apply afterwards. */
export interface GatheredRun {
  manifest: Manifest;
  state: RunFacts['state'];
  course: Course;
  samples: GatheredEpoch[];
  /** Chosen tasks that the records do not hold. */
  lost: number;
}

interface GatheredEpoch {
  epoch: number;
  tasks: { chosen: SampledTask; task: Task; attempts: Trace[] }[];
}

/** @throws the source's errors: RunError */
export async function gatherRun(source: ReportSource): Promise<GatheredRun> {
  const fold = new CourseFold();
  for await (const event of source.events()) fold.add(event);
  const course = fold.course();
  const samples: GatheredEpoch[] = [];
  let lost = 0;
  for (const epoch of sampleEpochs(course.tasks)) {
    const traces = await countedTraces(source, course.late, epoch);
    const tasks: GatheredEpoch['tasks'] = [];
    for (const chosen of sampleTasks(course.tasks.get(epoch) ?? [], defaultLimits.tasks)) {
      const task = await source.task(chosen.id);
      if (task === undefined) lost += 1;
      else tasks.push({ chosen, task, attempts: attemptsOf(task.id, traces) });
    }
    samples.push({ epoch, tasks });
  }
  return { manifest: source.manifest, state: (await source.head()).state, course, samples, lost };
}

/** Attempts that count in an epoch, those of late groups of the one before among them. */
async function countedTraces(source: ReportSource, late: LateTasks, epoch: number): Promise<Trace[]> {
  const older = late.has(epoch - 1) ? await source.tracesOf(epoch - 1) : [];
  return [...older, ...(await source.tracesOf(epoch))].filter(countsIn(late, epoch));
}

/** The report's content of a gathered run. @param madeAt milliseconds since the Unix epoch */
export function reportData(run: GatheredRun, madeAt: number, limits: Limits): ReportData {
  const { manifest, course } = run;
  const { experiment } = manifest;
  const changes = course.light.flatMap((event) => (event.type === 'settings.changed' ? changesOf(event) : []));
  const text = new TextCut(limits.text);
  const samples = run.samples.map(({ epoch, tasks }) => ({
    epoch,
    tasks: evenly(tasks, limits.tasks).map(({ chosen, task, attempts }) => sampleTask(chosen, task, attempts, text)),
  }));
  const drawn = thinned(run, limits);
  const left = [
    ...drawn.words,
    ...(text.cut === 0 ? [] : [`${text.cut} texts of the samples are cut at ${limits.text} characters.`]),
    ...(run.lost === 0 ? [] : [`${run.lost} sample tasks are named in the journal but not in tasks.jsonl.`]),
  ];
  return {
    version: reportVersion,
    madeAt,
    run: runFacts(manifest, course, run.state),
    conclusion: course.epochs.length === 0 ? [] : [...conclude(course.light).sentences],
    epochs: drawn.epochs,
    validation: drawn.validation,
    evaluations: course.evaluations,
    ...defined({ money: moneyOf(experiment, course.light) }),
    families: drawn.families,
    changes: course.changes,
    skips: course.skips,
    caps: capsInForce(manifest, { changes }),
    samples,
    settings: settingRows(experiment),
    versions: Object.entries(manifest.versions).map(([name, value]) => ({ name, value: String(value) })),
    thinned: left,
  };
}

/** Money by phase. */
function moneyOf({ endpoints }: Experiment, events: readonly JournalEvent[]): ReportData['money'] {
  const prices = pricesOf(endpoints);
  if (prices === null) return undefined;
  const [worked, spending] = [new WorkedTime(), new SpendingFold(prices)];
  const state = new StateFold();
  for (const event of events) {
    worked.add(event);
    state.add(event);
    spending.add(event, worked.epoch.seconds);
  }
  return { spent: spentOn(state.state, prices), shares: spending.shares };
}

/** Epochs, validations and families within the limits, and a sentence on omissions. */
function thinned(
  { course, samples }: GatheredRun,
  limits: Limits,
): Pick<ReportData, 'epochs' | 'validation' | 'families'> & { words: string[] } {
  const numbers = (rows: readonly { epoch: number }[]): number[] => rows.map(({ epoch }) => epoch);
  const always = new Set([...numbers(course.changes), ...numbers(samples)]);
  const kept = new Set(thinEpochs(numbers(course.epochs), limits.epochs, always));
  const baselines = new Set(course.validation.flatMap(({ against }) => against ?? []));
  const validated = new Set(thinEpochs(numbers(course.validation), limits.epochs, baselines));
  const families = thinFamilies(
    course.families.filter(({ epoch }) => kept.has(epoch)),
    limits.families,
  );
  const words: string[] = [];
  if (kept.size < course.epochs.length) {
    words.push(
      `${kept.size} of ${course.epochs.length} epochs are drawn, evenly spaced; what is counted over epochs beside the ` +
        'charts is counted over those.',
    );
  }
  if (validated.size < course.validation.length) {
    words.push(`${validated.size} of ${course.validation.length} validations are drawn, evenly spaced.`);
  }
  if (families.length < course.families.length) {
    words.push(
      `${families.length} of ${course.families.length} families are drawn, evenly along p̂ within each epoch; ` +
        'means, intervals and counts are over all of them.',
    );
  }
  return {
    epochs: course.epochs.filter(({ epoch }) => kept.has(epoch)),
    validation: course.validation.filter(({ epoch }) => validated.has(epoch)),
    families,
    words,
  };
}

const endings: Record<Ending, string> = {
  epochs: 'all epochs done',
  'budget-tokens': 'token budget used up',
  'budget-rollouts': 'rollout budget used up',
  'budget-seconds': 'time budget used up',
  'budget-cost': 'budget of money used up',
  'budget-hours': 'budget of hours used up',
  'early-stop': 'stopped early: validation no longer improved',
  'no-tasks': 'stopped: the environment wrote no task that could be used',
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
    endedEarly: finished !== null && finished.reason !== 'epochs',
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
function trains(experiment: Experiment): RunFacts['trains'] {
  return { agent: experiment.agent.train, environment: trainsEnvironment(experiment) };
}

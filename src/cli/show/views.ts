/** The views of `show`, read from a run and written as text or JSON. */
import { inForce } from '../../runs/journal/experimentNow.ts';
import { EpochFold } from '../../runs/facts/epochFold.ts';
import { timelineEpochs, timelineRange } from '../../shared/report/timelineCourse.ts';
import { StateFold } from '../../engine/state.ts';
import { givenTasks } from '../../launch/domains/openDomain.ts';
import { lateTasks } from '../../runs/journal/lateTasks.ts';
import { attemptOfAnyone } from '../../runs/records/traceOfAnyone.ts';
import type { RunReader } from '../../runs/store/runReader.ts';
import { SpendingFold } from '../../runs/facts/spending.ts';
import { pricesOf } from '../../shared/money/prices.ts';
import { WorkedTime } from '../../runs/facts/workedTime.ts';
import { nearest } from '../../shared/experiment/problems/nearest.ts';
import { curriculumAfter } from '../../shared/journal/curriculum.ts';
import { countsIn } from '../../shared/journal/counted.ts';
import type { EpochSummary, EventOf } from '../../shared/journal/events.ts';
import type { Task } from '../../shared/records/task.ts';
import type { Trace } from '../../shared/records/trace.ts';
import { defined } from '../../shared/defined.ts';
import { writeJson, type Context } from '../context.ts';
import { writeLines } from '../terminal.ts';
import type { Printable } from '../text/styled.ts';
import { UsageError } from '../usageError.ts';
import { droppedLines } from './dropped.ts';
import { courseLines } from './epochs.ts';
import { familyLines } from './families.ts';
import { moneyLines } from './money.ts';
import { jobLines, type ShownJob } from './jobs.ts';
import { lateLines } from './late.ts';
import { rescoredLines } from './rescored.ts';
import { targetOf } from './target.ts';
import { taskLines } from './tasks.ts';
import { timelineLines } from './timeline.ts';
import { traceLines } from './trace.ts';
import { versionLines } from './versions.ts';
import { writtenLines } from './written.ts';

const canvas = ({ terminal: { out } }: Context) => ({
  // A file or a pipe has no edge to keep to.
  width: out.isTTY ? out.columns : Infinity,
});

const print = ({ terminal }: Context, lines: readonly Printable[]): void => writeLines(terminal.out, lines);

export async function showEpochs(context: Context, reader: RunReader): Promise<void> {
  const head = await reader.head();
  const summaries = new Map<number, EpochSummary>();
  const evaluations: EventOf<'evaluated'>[] = [];
  const rounds: EventOf<'rollouts.finished'>[] = [];
  const checks: EventOf<'cross.played'>[] = [];
  let ending: string | null = null;
  const worked = new WorkedTime();
  const { experiment } = reader.manifest;
  const prices = pricesOf(experiment.endpoints);
  const [state, rows, spending] = [new StateFold(), new EpochFold(), prices && new SpendingFold(prices)];
  for await (const event of reader.events()) {
    worked.add(event);
    state.add(event);
    spending?.add(event, worked.epoch.seconds);
    if (event.type === 'epoch.finished')
      summaries.set(event.epoch, { ...event.summary, seconds: worked.epoch.seconds });
    rows.add(event);
    if (event.type === 'evaluated') evaluations.push(event);
    if (event.type === 'rollouts.finished') rounds.push(event);
    if (event.type === 'cross.played') checks.push(event);
    if (event.type === 'run.finished') ending = event.note;
  }
  const epochs = [...summaries.values()];
  const targets = rows.rows.map(targetOf);
  if (context.arguments.has('json')) {
    const { id, mode, state, ending: reason } = head;
    writeJson(context.terminal, {
      id,
      mode,
      state,
      ending: reason,
      experiment: reader.manifest.experiment,
      epochs,
      targets,
      crossPlay: checks,
    });
    return;
  }
  const { timezoneOffset } = context.terminal;
  const money = [
    ...moneyLines(state.state, inForce(reader.manifest, state.state), spending?.shares ?? []),
    ...droppedLines(rounds),
    ...lateLines(rounds),
  ];
  const { validations } = state.state;
  const course = { head, money, targets, epochs, validations, evaluations, ending };
  print(context, [
    ...courseLines(course, { ...canvas(context), timezoneOffset }),
    ...versionLines(checks, canvas(context)),
  ]);
}

/** An epoch's scoring, by default the newest, and its settings. @throws UsageError */
export async function scoredIn(
  reader: Pick<RunReader, 'events'>,
  epoch: number | null,
): Promise<{ scored: EventOf<'families.scored'>; settings: EventOf<'epoch.started'>['settings'] }> {
  let settings: EventOf<'epoch.started'>['settings'] | null = null;
  let found: { scored: EventOf<'families.scored'>; settings: EventOf<'epoch.started'>['settings'] } | null = null;
  let last = 0;
  for await (const event of reader.events()) {
    if (event.type === 'epoch.started') settings = event.settings;
    if (event.type === 'settings.changed' && settings !== null) settings = curriculumAfter(settings, event);
    if (event.type !== 'families.scored' || settings === null) continue;
    last = event.epoch;
    if (epoch === null || epoch === event.epoch) found = { scored: event, settings };
  }
  if (found !== null) return found;
  throw new UsageError(
    epoch === null ? 'No epoch of this run is scored yet.' : `Epoch ${epoch} of this run is not scored.`,
    last === 0 ? '' : `Scored are the epochs up to ${last}.`,
  );
}

export async function showFamilies(context: Context, reader: RunReader): Promise<void> {
  const { scored, settings } = await scoredIn(reader, context.arguments.count('epoch'));
  if (context.arguments.has('json')) {
    writeJson(context.terminal, { id: reader.id, epoch: scored.epoch, settings, families: scored.families });
  } else print(context, [`epoch ${scored.epoch}`, '', ...familyLines(scored, settings, canvas(context))]);
}

export async function showJobs(context: Context, reader: RunReader): Promise<void> {
  const epoch = context.arguments.count('epoch');
  const apart = new Map<number, number>();
  const jobs: ShownJob[] = [];
  for await (const event of reader.events()) {
    if (event.type === 'rollouts.finished') apart.set(event.epoch, event.disagreements?.count ?? 0);
    if (event.type !== 'agent.updated' && event.type !== 'environment.updated') continue;
    if (event.job === undefined || (epoch !== null && epoch !== event.epoch)) continue;
    const { job, steps, version } = event;
    const disagreements = event.type === 'agent.updated' ? (apart.get(event.epoch) ?? 0) : null;
    jobs.push({ epoch: event.epoch, version: version.name, steps, disagreements, job });
  }
  if (context.arguments.has('json')) writeJson(context.terminal, { id: reader.id, jobs });
  else print(context, jobLines(jobs, canvas(context)));
}

export async function showWritten(context: Context, reader: RunReader): Promise<void> {
  const asked = context.arguments.count('epoch');
  const written: EventOf<'tasks.generated'>[] = [];
  for await (const event of reader.events()) {
    if (event.type === 'tasks.generated' && (asked === null || asked === event.epoch)) written.push(event);
  }
  if (context.arguments.has('json')) {
    const epochs = written.map(({ epoch, written: texts, accepted, rejected, quality = null, domains }) => ({
      ...{ epoch, written: texts, accepted, rejected, quality, domains },
    }));
    writeJson(context.terminal, { id: reader.id, epochs });
  } else print(context, writtenLines(written, canvas(context)));
}

/** Epochs that `show RUN --timeline` draws. */
const epochsDrawn = 3;

export async function showTimeline(context: Context, reader: RunReader): Promise<void> {
  const fold = new EpochFold();
  for await (const event of reader.events()) fold.add(event);
  const { rows } = fold;
  const upTo = context.arguments.count('epoch');
  if (context.arguments.has('json')) {
    const epochs = timelineEpochs(rows).filter(({ epoch }) => upTo === null || epoch <= upTo);
    writeJson(context.terminal, { id: reader.id, epochs });
    return;
  }
  const [from, to] = timelineRange(rows, upTo, epochsDrawn);
  print(context, timelineLines(timelineEpochs(rows, [Math.max(0, from), to]), canvas(context)));
}

export async function showTasks(context: Context, reader: RunReader): Promise<void> {
  const family = context.arguments.text('family') ?? '';
  const epoch = context.arguments.count('epoch');
  const written = await tasksOfFamily(reader, family);
  if (written.length === 0) {
    const { scored } = await scoredIn(reader, epoch);
    const names = scored.families.map(({ id }) => id);
    const near = nearest(family, names);
    throw new UsageError(
      `This run has no family "${family}".`,
      near === null ? `Epoch ${scored.epoch} has ${names.slice(0, 3).join(', ')} …` : `Did you mean ${near}?`,
    );
  }
  const counted = epoch ?? (await lastEpochOf(reader, family)) ?? written[0]?.epoch ?? 0;
  const traces = await attemptsIn(reader, new Set(written.map(({ id }) => id)), counted);
  const tasks = written.map((task) => ({ task, traces: traces.filter((trace) => trace.task === task.id) }));
  if (context.arguments.has('json')) {
    writeJson(context.terminal, { id: reader.id, family, epoch: counted, tasks });
    return;
  }
  const [example] = traces;
  const hint =
    example === undefined ? [] : ['', `One attempt: ${context.call('show', reader.id, '--trace', example.id)}`];
  const made = [...new Set(traces.map((trace) => trace.epoch))];
  const title =
    made.length === 0 || (made.length === 1 && made[0] === counted)
      ? `${family}, attempted in epoch ${counted}`
      : `${family}, counted in epoch ${counted}, attempted in ${made.join(' and ')}`;
  print(context, [title, '', ...taskLines(tasks, canvas(context)), ...hint]);
}

/** Attempts that count in an epoch; where none does, those made in it, which may be late and not counted yet. */
export async function attemptsIn(
  reader: Pick<RunReader, 'events' | 'tracesOf'>,
  tasks: ReadonlySet<string>,
  epoch: number,
): Promise<Trace[]> {
  const late = await lateTasks(reader);
  const older = (late.get(epoch - 1) ?? []).some((id) => tasks.has(id)) ? await reader.tracesOf(epoch - 1) : [];
  const made = [...older, ...(await reader.tracesOf(epoch))].filter(
    ({ task, purpose }) => purpose === 'train' && tasks.has(task),
  );
  const counted = made.filter(countsIn(late, epoch));
  return counted.length > 0 ? counted : made.filter((trace) => trace.epoch === epoch);
}

/** Generated families carry their epoch in their name; others are looked for in all records. */
async function tasksOfFamily(reader: RunReader, family: string): Promise<Task[]> {
  const epoch = /^e(\d+)\./.exec(family)?.[1];
  if (epoch !== undefined) return (await reader.tasksOf(Number(epoch))).filter((task) => task.family === family);
  const found: Task[] = [];
  for await (const task of reader.tasks()) if (task.family === family) found.push(task);
  if (found.length > 0) return found;
  return (await givenTasks(reader)).filter((task) => task.family === family);
}

async function lastEpochOf(reader: RunReader, family: string): Promise<number | null> {
  let last: number | null = null;
  for await (const event of reader.events()) {
    if (event.type === 'families.scored' && event.families.some(({ id }) => id === family)) last = event.epoch;
  }
  return last;
}

export async function showTrace(context: Context, reader: RunReader): Promise<void> {
  const id = context.arguments.text('trace') ?? '';
  const found = await attemptOfAnyone(reader, id);
  if (found === undefined) {
    throw new UsageError(
      `This run has no trace "${id}".`,
      'Traces are named like e3/e3.f2.v1/r0: epoch, task, attempt.',
    );
  }
  const { trace, edited } = found;
  const recorded = await reader.task(trace.task);
  const given = recorded === undefined ? await givenTasks(reader) : [];
  const attempted = recorded ?? given.find(({ id: one }) => one === trace.task);
  const task = attempted === undefined ? null : { ...attempted, ...edited };
  const fold = new StateFold();
  for await (const event of reader.events()) fold.add(event);
  const rescored = await reader.rescored.of(fold.state.rescorings, trace);
  if (context.arguments.has('json')) {
    writeJson(context.terminal, { id: reader.id, trace, task, ...defined({ rescored: rescored ?? undefined }) });
    return;
  }
  const again = rescored === null ? [] : rescoredLines(rescored, trace.verdict, canvas(context));
  print(context, [...traceLines(trace, task, canvas(context)), ...again]);
}

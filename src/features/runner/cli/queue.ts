/** `genenv queue`: the entries of a folder's queue, and requests to change it. */
import { userInfo } from 'node:os';
import { writeJson, type Context } from '../../../cli/context.ts';
import { exitCode, type ExitCode } from '../../../cli/exitCode.ts';
import { problemLines } from '../../../cli/failure.ts';
import { readExperiment } from '../../../cli/readExperiment.ts';
import { warningsTo, writeLines } from '../../../cli/terminal.ts';
import { duration } from '../../../shared/text/figures/durations.ts';
import { silenceInFull } from '../../../shared/text/silence.ts';
import { styled } from '../../../cli/text/styled.ts';
import { table } from '../../../cli/text/table.ts';
import { UsageError } from '../../../cli/usageError.ts';
import { makeRun } from '../../../launch/launch.ts';
import type { Manifest } from '../../../runs/store/manifest.ts';
import { defaultRetries, directions, prioritySchema, type Work } from '../contract.ts';
import { answer, isQueueRequest } from '../core/answer.ts';
import { lostBefore } from '../core/plan.ts';
import { inTurn, isOpen, type QueueEntry } from '../core/queue.ts';
import { waitText } from '../core/words.ts';
import { checkArms } from '../../study/node/checkArms.ts';
import { checkMembers, openStudy } from '../../study/node/openStudy.ts';
import { workOf, workOfStudy } from '../node/enqueue.ts';
import { changedSince, type ChangedSince } from '../node/queuedStudy.ts';
import { lookAtRunner, runnerInbox, type RunnerSight } from '../node/runnerFiles.ts';

export const author = (): string => userInfo().username;

export async function queueCommand(context: Context): Promise<ExitCode> {
  const { target, rest } = context.arguments;
  switch (target) {
    case '':
    case 'list':
      return listQueue(context);
    case 'add':
      return add(context, some(rest, 'add', 'Experiment files or ids of runs.'));
    case 'remove':
      return ask(context, some(rest, 'remove', 'Ids of runs.'), (run) => ({ type: 'remove', run }));
    case 'pause':
      return hold(context, 'hold');
    case 'resume':
      return hold(context, 'release');
    case 'priority': {
      const priority = priorityOf(context);
      if (priority === null) throw new UsageError('"genenv queue priority" needs --priority N.', '');
      return ask(context, some(rest, 'priority', 'Ids of runs.'), (run) => ({ type: 'prioritise', run, priority }));
    }
    case 'move': {
      const [run, word, ...more] = rest;
      const to = directions.find((one) => one === word);
      if (run === undefined || to === undefined || more.length > 0) {
        throw new UsageError('"genenv queue move" needs a run and where to.', `Write RUN ${directions.join('|')}.`);
      }
      return ask(context, [run], (id) => ({ type: 'move', run: id, to }));
    }
    default:
      throw new UsageError(
        `"genenv queue" does not know "${target}".`,
        'Write list, add, remove, priority, move, pause or resume; see genenv queue --help.',
      );
  }
}

function some(words: readonly string[], action: string, what: string): readonly string[] {
  if (words.length === 0) throw new UsageError(`"genenv queue ${action}" needs to know which.`, what);
  return words;
}

const around = ({ terminal }: Context) => ({
  clock: terminal,
  log: { info: () => undefined, warn: warningsTo(terminal) },
});

/** @throws UsageError */
function priorityOf({ arguments: given }: Context): number | null {
  const text = given.text('priority');
  if (text === null) return null;
  const priority = /^[-−]?\d{1,3}$/.test(text) ? Number(text.replace('−', '-')) : NaN;
  if (prioritySchema.safeParse(priority).success) return priority;
  throw new UsageError(`--priority wants a whole number from −100 to 100, not "${text}".`, '');
}

/** Everything is checked before the first run is made. */
async function add(context: Context, words: readonly string[]): Promise<ExitCode> {
  const { terminal, store, dist, arguments: given, call } = context;
  const sight = await lookAtRunner(store.root, around(context));
  const after = await Promise.all(given.all('after').map((run) => store.find(run)));
  const missing = after.find((run) => !sight.queue.some((entry) => entry.run === run));
  if (missing !== undefined) {
    throw new UsageError(`${missing} is not in the queue, so nothing can wait for it.`, 'Add that run first.');
  }
  const asked = {
    priority: priorityOf(context) ?? 0,
    retries: Math.min(100, given.count('retries') ?? defaultRetries),
    ...{ after, author: author() },
  };
  const studies = await Promise.all(
    words.filter((word) => word.endsWith('.study.json')).map((file) => openStudy(terminal.cwd, file)),
  );
  const files = words.filter((word) => word.endsWith('.json') && !word.endsWith('.study.json'));
  const experiments = await Promise.all(files.map((file) => readExperiment(terminal.cwd, file, given.all('set'))));
  const runs = await Promise.all(words.filter((word) => !word.endsWith('.json')).map((id) => waitingRun(context, id)));
  if (runs.length + studies.length > 0 && given.all('set').length > 0) {
    throw new UsageError(
      '--set is for experiment files.',
      'Settings of a run change with genenv change, those of a study in its file.',
    );
  }
  for (const study of studies) {
    await checkMembers(study, store);
    await checkArms(study, dist, around(context).log);
    writeLines(terminal.err, problemLines(study.plan.warnings));
  }
  const work: Work[] = [
    ...(await Promise.all(runs.map((manifest) => workOf(store.root, manifest, asked)))),
    ...studies.map((study) => workOfStudy(study, asked)),
  ];
  refuse(sight, work);
  for (const { experiment, directory, path, warnings, named } of experiments) {
    writeLines(terminal.err, problemLines(warnings));
    const writer = await named(() => makeRun(store, { experiment, directory, file: path }, dist, around(context).log));
    await writer.session({ type: 'paused', reason: 'Waits in the queue.' });
    await writer.close();
    work.push(await workOf(store.root, writer.manifest, asked));
  }
  await runnerInbox(store.root, around(context)).post({ type: 'add', work, author: author() });
  if (given.has('json')) writeJson(terminal, { added: work.map(({ run }) => run), runner: sight.holder !== null });
  else {
    for (const { run } of work) terminal.out.write(styled`${run} is queued.\n`);
    if (sight.holder === null) terminal.out.write(styled`No runner works yet. Start one: ${call('runner', 'start')}\n`);
  }
  return exitCode.done;
}

/** @throws RunError, UsageError for one that is over or goes */
async function waitingRun({ store, call }: Context, id: string): Promise<Manifest> {
  const reader = await store.openReader(id);
  const { state } = await reader.head();
  await reader.close();
  const { manifest } = reader;
  if (manifest.imported !== null) throw new UsageError(`${manifest.id} was imported and is only read.`, '');
  if (state === 'finished' || state === 'running') {
    throw new UsageError(`${manifest.id} is ${state}, so it cannot be queued.`, `See it with: ${call('show', id)}`);
  }
  return manifest;
}

/** Refuses here, before anything is made, what the queue would refuse. @throws UsageError */
function refuse({ queue }: RunnerSight, work: readonly Work[]): void {
  if (work.length === 0) return;
  const events = answer(queue, { v: 1, at: 0, type: 'add', work: [...work], author: '' });
  for (const event of events)
    if (event.type === 'refused') throw new UsageError(`${event.run ?? ''}: ${event.why}`, '');
}

async function ask(context: Context, ids: readonly string[], request: (run: string) => AboutRun): Promise<ExitCode> {
  const { terminal, store, arguments: given } = context;
  const inbox = runnerInbox(store.root, around(context));
  const runs: string[] = [];
  for (const id of ids) {
    const { queue } = await lookAtRunner(store.root, around(context));
    const run = queue.find((entry) => entry.run === id)?.run ?? (await inQueue(context, queue, id));
    const asked = { ...request(run), author: author() };
    const stamped = { ...asked, v: 1 as const, at: terminal.now() };
    if (isQueueRequest(stamped)) {
      for (const event of answer(queue, stamped)) {
        if (event.type === 'refused') throw new UsageError(`${run}: ${event.why}`, '');
      }
    }
    await inbox.post(asked);
    runs.push(run);
  }
  if (given.has('json')) writeJson(terminal, { asked: runs });
  else for (const run of runs) terminal.out.write(styled`${run}: noted for the runner.\n`);
  return exitCode.done;
}

type AboutRun =
  | { type: 'remove'; run: string }
  | { type: 'prioritise'; run: string; priority: number }
  | { type: 'move'; run: string; to: (typeof directions)[number] };

async function hold(context: Context, type: 'hold' | 'release'): Promise<ExitCode> {
  const { terminal, store, arguments: given, call } = context;
  if (given.rest.length > 0) {
    throw new UsageError(
      '"genenv queue pause" and "resume" are about the whole queue.',
      'For a run: genenv pause RUN.',
    );
  }
  await runnerInbox(store.root, around(context)).post({ type, author: author() });
  if (given.has('json')) writeJson(terminal, { held: type === 'hold' });
  else if (type === 'hold') terminal.out.write('The queue is paused: nothing more starts; what runs goes on.\n');
  else {
    terminal.out.write('The queue goes again.\n');
    const { holder } = await lookAtRunner(store.root, around(context));
    if (holder === null) terminal.out.write(styled`No runner works yet. Start one: ${call('runner', 'start')}\n`);
  }
  return exitCode.done;
}

/** A run may be gone and its entry left. @throws UsageError, RunError */
async function inQueue({ store }: Context, queue: readonly QueueEntry[], id: string): Promise<string> {
  const matches = queue.filter(({ run }) => id !== '' && run.startsWith(id));
  const [match] = matches;
  return match !== undefined && matches.length === 1 ? match.run : store.find(id);
}

export async function listQueue(context: Context): Promise<ExitCode> {
  const { terminal, store, arguments: given } = context;
  const { holder, queue, held, live } = await lookAtRunner(store.root, around(context));
  const going = queue.filter(({ state }) => state === 'running');
  const ended = queue.filter((entry) => !isOpen(entry)).toSorted((a, b) => b.since - a.since);
  const now = terminal.now();
  const shown = [...going, ...inTurn(queue), ...ended.slice(0, endedShown)];
  const changes = new Map(
    await Promise.all(shown.filter(isOpen).map(async (entry) => [entry.run, await changedSince(entry)] as const)),
  );
  const said = (entry: QueueEntry): string => stateOf(entry, { holder, live, queue }, now);
  if (given.has('json')) {
    const entries = [...going, ...inTurn(queue), ...ended].map((entry) => {
      const { run, name, state, priority, after, addresses, why } = entry;
      const place = live?.running[run] ?? null;
      const since = changes.get(run);
      const changed = since === undefined ? [] : [...since.copied, ...since.named];
      const words = state === 'waiting' ? said(entry) : why;
      return { run, name, state, priority, after, addresses, why: words, place, changed };
    });
    writeJson(terminal, {
      runner: holder === null ? null : { host: holder.host, pid: holder.pid },
      held,
      queue: entries,
    });
  } else if (shown.length === 0) terminal.out.write('The queue is empty. Add runs with: genenv queue add FILE\n');
  else {
    const columns = [
      { title: 'run', cell: ({ run }: QueueEntry) => run },
      { title: 'priority', cell: ({ priority }: QueueEntry) => String(priority), right: true },
      {
        title: 'state',
        cell: (entry: QueueEntry) => [said(entry), ...changedLines(changes.get(entry.run))].join('; '),
      },
    ];
    if (held) terminal.out.write('The queue is paused; let it go again with: genenv queue resume\n');
    writeLines(terminal.out, table(columns, shown));
  }
  return exitCode.done;
}

/** Of a study whose files are no longer those that were queued. */
function changedLines(since: ChangedSince | undefined): string[] {
  if (since === undefined) return [];
  const { copied, named } = since;
  return [
    ...(copied.length === 0 ? [] : [`runs as it was queued: ${copied.join(', ')} changed since`]),
    ...(named.length === 0 ? [] : [`does not begin with another ${named.join(', ')}: undo the change or add it again`]),
  ];
}

/** Ended ones that a list shows. */
const endedShown = 5;

type Seen = Pick<RunnerSight, 'holder' | 'live' | 'queue'>;

function stateOf(entry: QueueEntry, { holder, live, queue }: Seen, now: number): string {
  const { run, state, why } = entry;
  if (state === 'running') {
    const place = live?.running[run];
    if (place === undefined) return 'running';
    const steps = entry.study === null ? 'epoch' : 'runs';
    const left = place.secondsLeft === null ? '' : `, about ${duration(place.secondsLeft)} left`;
    const silent = (place.silences ?? []).map((silence) => `, no answer from ${silenceInFull(silence)}`).join('');
    return `running: ${steps} ${place.current ?? place.epoch}/${place.epochs}${left}${silent}`;
  }
  if (state !== 'waiting') return why === '' ? state : `${state}: ${why}`;
  const lost = lostBefore(entry, queue);
  if (lost !== null) return waitText(lost, now);
  if (holder === null) return 'waits for a runner';
  const wait = live?.waiting[run];
  return wait === undefined ? 'starts next' : waitText(wait, now);
}

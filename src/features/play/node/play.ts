/** One attempt at a task of a run by a person: its tools and its judge are the run's. Affects no run. */
import * as l10n from '@vscode/l10n';
import { attempt } from '../../../engine/phases/attempts/attempt.ts';
import type { AttemptPlan, Attempters } from '../../../engine/phases/attempts/attemptPlan.ts';
import { EpisodeError, LoopError } from '../../../engine/errors.ts';
import type { Clock, Log } from '../../../engine/ports.ts';
import type { Time } from '../../../endpoints/time.ts';
import type { Keys } from '../../../launch/access/keys.ts';
import { editedTask } from '../../../launch/taskEdits.ts';
import { openGround, runNow } from '../../../launch/scoring/taskGround.ts';
import { appendPlay, readPlays } from '../../../runs/records/playsFile.ts';
import { runPaths } from '../../../runs/store/runPaths.ts';
import type { RunReader } from '../../../runs/store/runReader.ts';
import { defined } from '../../../shared/defined.ts';
import {
  begunPlay,
  personVersion,
  playAfter,
  playTraceId,
  playVersion,
  type Play,
} from '../../../shared/records/play.ts';
import type { Task } from '../../../shared/records/task.ts';
import type { Trace } from '../../../shared/records/trace.ts';
import { PersonPolicy, type Question } from '../core/personPolicy.ts';
import { PlayError } from './playError.ts';
import { inEnglish } from '../../../launch/language.ts';

export interface PlayTools {
  dist: URL;
  clock: Clock;
  /** The machine's when absent. */
  time?: Time;
  log: Log;
  keys: Keys;
  /** The person leaves: what was sent is kept, and the attempt can be continued. */
  signal: AbortSignal;
  /** @throws the signal's reason */
  ask(question: Question, signal: AbortSignal): Promise<string>;
}

/** An attempt that is there to be played: begun now, or to be continued. */
export interface OpenPlay {
  play: Play;
  /** As it is attempted. */
  task: Task;
}

/**
 * Begins an attempt; its first line is written with the first turn.
 * @throws TaskEditError `unknown`, RunError, InputError
 */
export async function beginPlay(run: RunReader, task: string, author: string, clock: Clock): Promise<OpenPlay> {
  const { recorded, task: now, overlay } = await editedTask(run, task);
  const { plays } = await readPlays(runPaths(run.dir).plays);
  const { prompt, tools, evaluation, gold } = now;
  const isEdited = Object.keys(overlay?.fields ?? {}).length > 0;
  const at = clock.now();
  const play = begunPlay({
    ...{ v: playVersion, type: 'begun', id: `${at.toString(36)}${plays.length.toString(36)}`, at, author },
    task: recorded.id,
    edited: isEdited ? { prompt, evaluation, gold, ...defined({ tools }) } : null,
  });
  return { play, task: isEdited ? now : recorded };
}

/** An attempt to be continued. @throws PlayError `unknown`, `ended`; RunError, InputError */
export async function continuedPlay(run: RunReader, id: string): Promise<OpenPlay> {
  const { plays } = await readPlays(runPaths(run.dir).plays);
  const play = plays.find((one) => one.id === id);
  const open = plays.filter(({ trace }) => trace === null).map((one) => one.id);
  const remedy =
    open.length === 0 ? l10n.t('Begin a new one.') : l10n.t('These can be continued: {0}.', open.join(', '));
  if (play === undefined)
    throw new PlayError('unknown', l10n.t('This run has no attempt of a person "{0}".', id), remedy);
  if (play.trace !== null) throw new PlayError('ended', l10n.t('The attempt "{0}" has ended.', id), remedy);
  const { recorded } = await editedTask(run, play.task);
  return { play, task: { ...recorded, ...play.edited } };
}

/** Plays it on. @returns the attempt: with its trace, or without where the person left. @throws PlayError, RunError, InputError */
export function playOn(run: RunReader, open: OpenPlay, tools: PlayTools): Promise<Play> {
  return inEnglish(() => played(run, open, tools));
}

async function played(run: RunReader, { play, task }: OpenPlay, tools: PlayTools): Promise<Play> {
  const home = await runNow(run);
  const { close, ...ground } = await openGround(home, task, tools);
  const path = runPaths(run.dir).plays;
  const { id, author } = play;
  let now = play;
  const keep = async (event: Parameters<typeof playAfter>[1]): Promise<void> => {
    await onlyHere(path, now);
    await appendPlay(path, event);
    now = playAfter(now, event);
  };
  const policy = new PersonPolicy({
    earlier: play.turns,
    ask: async (question, signal) => {
      const text = await tools.ask(question, signal);
      await begun(path, play);
      await keep({ v: playVersion, id, type: 'turn', at: tools.clock.now(), text });
      return text;
    },
  });
  const ended = async ([trace]: readonly Trace[]): Promise<void> => {
    if (trace === undefined) return;
    const own = { ...trace, id: playTraceId(play) };
    await keep({ v: playVersion, id, type: 'ended', at: tools.clock.now(), trace: own });
  };
  const attempters: Attempters = {
    experiment: home.experiment,
    agent: { policy, version: { name: personVersion(author), handle: '' } },
    ports: {
      ...{ ...ground, signal: tools.signal },
      records: { tracesOf: () => Promise.resolve([]), appendTraces: ended },
    },
  };
  const plan: AttemptPlan = {
    ...{ purpose: 'train', epoch: home.epoch, tasks: [task], group: 1, minimum: 1, closed: false },
    ...{ temperature: 1, keepSequences: false },
  };
  try {
    await attempt(attempters, plan);
  } catch (error) {
    if (!tools.signal.aborted) throw toolsFailed(error, id);
  } finally {
    await close();
  }
  return now;
}

/** Keeps a turn that is being written, for an attempt that was begun or gets its first line by it. @throws RunError */
export async function keepDraft(run: Pick<RunReader, 'dir'>, play: Play, text: string): Promise<void> {
  const path = runPaths(run.dir).plays;
  const { plays } = await readPlays(path);
  const known = plays.find(({ id }) => id === play.id);
  if ((known?.draft ?? '') === text || (known?.trace ?? null) !== null) return;
  await begun(path, play);
  await appendPlay(path, { v: playVersion, id: play.id, type: 'draft', text });
}

/** No other process continued it since. @throws PlayError `elsewhere`, RunError */
async function onlyHere(path: string, { id, turns }: Play): Promise<void> {
  const known = (await readPlays(path)).plays.find((one) => one.id === id);
  if (known === undefined || (known.trace === null && known.turns.length === turns.length)) return;
  const remedy = l10n.t('Open it again to see how it stands.');
  throw new PlayError('elsewhere', l10n.t('The attempt "{0}" was continued elsewhere.', id), remedy);
}

/** Its first line is there. */
async function begun(path: string, { v, type, id, at, author, task, edited }: Play): Promise<void> {
  if ((await readPlays(path)).plays.some((one) => one.id === id)) return;
  await appendPlay(path, { v, type, id, at, author, task, edited });
}

/** The tools gave up: the turns so far are kept. */
function toolsFailed(error: unknown, id: string): unknown {
  if (!EpisodeError.is(error) && !(error instanceof LoopError)) return error;
  return new PlayError(
    'tools',
    l10n.t('The tools of the task failed: {0}', error.message),
    l10n.t('Continue the attempt “{0}” later.', id),
  );
}

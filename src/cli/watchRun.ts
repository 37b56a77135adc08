/** Starts or resumes a run, shows its progress, and prints its results or how to resume it. */
import { targetOfEnvironment } from '../launch/traced/target.ts';
import { machineTime } from '../endpoints/time.ts';
import { Schedulers } from '../launch/policies/schedulers.ts';
import { launch, type Landing, type Launch } from '../launch/launch.ts';
import { conclude } from '../runs/facts/conclusion.ts';
import { writeReport } from '../features/report/node/writeReport.ts';
import type { Experiment } from '../shared/experiment/schema.ts';
import { cliKeys } from './consent/cliKeys.ts';
import { writeJson, type Context } from './context.ts';
import { exitCode, type ExitCode } from './exitCode.ts';
import { failureOf, problemLines, writeFailure } from './failure.ts';
import { watchInterrupts } from './interrupts.ts';
import { watcherFor } from './live/watcher.ts';
import { writeLines } from './terminal.ts';
import { wrap } from './text/displayWidth.ts';
import { style } from './text/style.ts';
import { styled } from './text/styled.ts';

/** Sentences are set no wider than this: longer lines are hard to read. */
const measure = 100;

/** Milliseconds between two looks for servers that answer nothing. */
const silencesMs = 5_000;

/** Milliseconds to say how a run landed, where parts of it are still at work and would keep the process. */
const lastWords = 2_000;

/** @throws the errors of opening a run; from then on every outcome is an exit code */
export async function watchRun(context: Context, start: Launch['start'], experiment: Experiment): Promise<ExitCode> {
  const { terminal, store, arguments: given } = context;
  const keys = await cliKeys(context);
  const json = given.has('json');
  const watcher = watcherFor(terminal, { silent: json, plain: given.has('plain'), verbose: given.has('verbose') });
  let id = '';
  const interrupts = watchInterrupts(
    () => terminal.now(),
    () => watcher.pausing(),
    () => {
      watcher.close('paused');
      terminal.err.write(`Ended at once. Resume with: ${context.call('resume', id)}\n`);
      process.exit(exitCode.paused);
    },
  );
  const schedulers = new Schedulers(machineTime);
  const silences = setInterval(() => watcher.silent(schedulers.silences.now), silencesMs);
  let landing: Landing;
  try {
    landing = await launch({
      store,
      start,
      dist: context.dist,
      clock: terminal,
      keys,
      schedulers,
      traces: targetOfEnvironment(terminal.env),
      log: watcher,
      onRun: (opened, _directory, state) => {
        id = opened;
        watcher.started(opened, experiment, state);
      },
      onEvent: (event, state) => watcher.event(event, state),
      onProgress: (progress) => watcher.progress(progress),
      signal: interrupts.signal,
    });
  } catch (error) {
    watcher.close('failed');
    throw error;
  } finally {
    interrupts.dispose();
    clearInterval(silences);
  }
  watcher.close(landing.state);
  if (landing.abandoned === true) setTimeout(() => process.exit(codeOf(landing)), lastWords).unref();
  return json ? reportJson(context, landing) : tell(context, landing);
}

async function readEnd({ store, dist, arguments: given }: Context, id: string) {
  const reader = await store.openReader(id);
  try {
    const events = await Array.fromAsync(reader.events());
    const report = given.has('report') ? await writeReport(reader, { dist }) : null;
    return { folder: reader.dir, report, conclusion: conclude(events), epoch: (await reader.head()).epoch };
  } finally {
    await reader.close();
  }
}

/** Success: finished, or paused by Ctrl-C. Failure: paused for another reason, or ended without tasks. */
function codeOf({ state, error, ending }: Landing): ExitCode {
  if (state === 'finished') return ending === 'no-tasks' ? exitCode.failed : exitCode.done;
  return state === 'paused' && error === undefined ? exitCode.paused : exitCode.failed;
}

async function reportJson(context: Context, landing: Landing): Promise<ExitCode> {
  const { folder, report, conclusion, epoch } = await readEnd(context, landing.id);
  const { id, state, error, ending = null } = landing;
  writeJson(context.terminal, { id, state, ending, epoch, folder, report, conclusion });
  if (error !== undefined) writeFailure(context.terminal.err, failureOf(error), true);
  return codeOf(landing);
}

async function tell(context: Context, landing: Landing): Promise<ExitCode> {
  const { terminal, call } = context;
  const { out, err } = terminal;
  const { id, state, error } = landing;
  const { folder, report, conclusion, epoch } = await readEnd(context, id);
  const lines = (text: string, stream = out): void => {
    writeLines(stream, wrap(text, Math.min(measure, stream.columns)));
  };
  out.write(styled`\n${style.dim('run   ')}  ${folder}\n`);
  out.write(styled`${style.dim('report')}  ${report ?? call('report', id)}\n\n`);
  if (error !== undefined) {
    const { message, problems = [] } = failureOf(error);
    writeLines(err, problemLines(problems));
    err.write(styled`${style.bad(state === 'failed' ? 'The run failed:' : 'The run paused:')} ${message}\n`);
    lines(`Finished work is kept. After fixing the cause, resume with: ${call('resume', id)}`, err);
  } else if (state === 'paused') {
    lines(`Paused after ${epoch} finished epochs; every finished rollout is kept.`);
    out.write(styled`Resume with: ${style.bold(call('resume', id))}\n`);
  } else for (const sentence of conclusion.sentences) lines(sentence);
  return codeOf(landing);
}

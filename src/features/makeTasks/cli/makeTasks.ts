/** `genenv make-tasks RUN|FILE --out FILE`: tasks for mode `offline`. */
import { namedFields } from '../../../shared/experiment/branched.ts';
import { resolve } from 'node:path';
import type { Progress } from '../../../engine/ports.ts';
import { inputFiles } from '../../../launch/inputs/inputs.ts';
import { makeTasks, type MadeTasks, type MakeTasksAsk } from '../node/makeTasks.ts';
import type { PolicyTools } from '../node/fromPolicy.ts';
import { manifestFileOf } from '../../../runs/export/exportPool.ts';
import { cliKeys } from '../../../cli/consent/cliKeys.ts';
import { writeJson, type Context } from '../../../cli/context.ts';
import { exitCode, type ExitCode } from '../../../cli/exitCode.ts';
import { stopAtInterrupt } from '../../../cli/interrupts.ts';
import { ProgressLine } from '../../../cli/live/progressLine.ts';
import { inputFile, outFile } from '../../../cli/outFile.ts';
import { readExperiment, type ReadExperiment } from '../../../cli/readExperiment.ts';
import { count, plural } from '../../../shared/text/figures/numbers.ts';
import { UsageError } from '../../../cli/usageError.ts';

/** Leaves with 1 where something was not answered: the same command asks for it again. */
export async function makeTasksCommand(context: Context): Promise<ExitCode> {
  const { terminal, arguments: given, dist } = context;
  const { ask, named } = await readAsk(context);
  const interrupts = stopAtInterrupt(terminal);
  const progress = new ProgressLine(terminal);
  try {
    const tools: PolicyTools = {
      ...{ dist, clock: terminal, keys: await cliKeys(context), signal: interrupts.signal },
      log: { info: () => undefined, warn: (message) => terminal.err.write(`${message}\n`) },
      onProgress: (now) => progress.show(progressText(now), now.done >= now.total),
      onBegun: (folder, kept) => {
        if (kept > 0) terminal.err.write(`${folder}: ${count(kept)} answers there already\n`);
      },
    };
    const made = await named(() => makeTasks(ask, tools));
    progress.end();
    if (given.has('json')) writeJson(terminal, { ...made, file: ask.file, manifest: manifestFileOf(ask.file) });
    else tell(context, ask, made);
    return made.unanswered === null ? exitCode.done : exitCode.failed;
  } catch (error) {
    if (!interrupts.signal.aborted) throw error;
    progress.end();
    const kept = ask.source.kind === 'run' ? 'Nothing was written.' : 'Answers are kept: the same command carries on.';
    terminal.err.write(`Stopped. ${kept}\n`);
    return exitCode.paused;
  } finally {
    progress.end();
    interrupts.dispose();
    if (ask.source.kind === 'run') await ask.source.run.close();
  }
}

function tell({ terminal }: Context, { file }: MakeTasksAsk, made: MadeTasks): void {
  const { out, err } = terminal;
  const seeds = made.seeds === 0 ? '' : `, beside ${plural(made.seeds, 'seed task')}`;
  out.write(`${plural(made.tasks, 'task')}${seeds}, in ${file}\n`);
  for (const { count: left, why, examples } of made.leftOut) {
    err.write(`${count(left)} left out: ${why} (${examples.join('; ')})\n`);
  }
  if (made.unanswered !== null) {
    const causes = made.unanswered.causes.map(({ cause, count: times }) => `${cause} (${count(times)})`).join('; ');
    err.write(`${count(made.unanswered.count)} not answered: ${causes}. The same command asks for them again.\n`);
  }
}

const phases: Readonly<Record<string, string>> = { generate: 'texts written', attempt: 'attempts made' };

const progressText = ({ phase, done, total, tokens }: Progress): string =>
  `${count(done)} of ${count(total)} ${phases[phase] ?? phase}, ${count(tokens)} tokens`;

const ofExperiments = ['variations', 'url', 'model', 'key', 'attempts', 'set'] as const;

interface Asked {
  ask: MakeTasksAsk;
  /** For work on the files that its experiment names. */
  named: ReadExperiment['named'];
}

/** @throws UsageError, InputError, RunError */
async function readAsk(context: Context): Promise<Asked> {
  const { terminal, arguments: given } = context;
  const out = given.text('out');
  if (out === null) throw new UsageError('"genenv make-tasks" needs --out FILE.', 'FILE is the task file to write.');
  const heldOut = given.text('held-out');
  const rest = {
    solved: shareRange(context, 'solved'),
    heldOut: heldOut === null ? null : await inputFile(terminal.cwd, heldOut),
    withSeeds: given.has('with-seeds'),
  };
  const read = rest.heldOut === null ? [] : [rest.heldOut];
  if (!given.target.endsWith('.json')) {
    const source = await runSource(context);
    return { ask: { ...rest, file: outFile(terminal.cwd, out, read), source }, named: (work) => work() };
  }
  const { source, named } = await experimentSource(context);
  const file = resolve(terminal.cwd, given.target);
  const inputs = inputFiles(source.experiment, source.directory);
  return { ask: { ...rest, file: outFile(terminal.cwd, out, [...read, file, ...inputs]), source }, named };
}

async function runSource(context: Context): Promise<MakeTasksAsk['source']> {
  const { store, arguments: given } = context;
  const foreign = ofExperiments.find((name) => given.has(name));
  if (foreign !== undefined) {
    throw new UsageError(`--${foreign} is for an experiment file, and a run’s tasks are written already.`, '');
  }
  return { kind: 'run', run: await store.openReader(given.target), epochs: given.epochs('epochs') };
}

async function experimentSource(
  context: Context,
): Promise<{ source: Extract<MakeTasksAsk['source'], { kind: 'policy' }>; named: Asked['named'] }> {
  const { terminal, arguments: given } = context;
  if (given.has('epochs')) throw new UsageError('--epochs is for a run, and an experiment has none yet.', '');
  const server = serverOf(context);
  refuseDecided(given.all('set'), server);
  // Nothing is trained here: a server that only samples will do, and a file for mode offline need not be there yet.
  const overrides = [...given.all('set'), ...server, 'mode=random'];
  const { experiment, directory, named } = await readExperiment(terminal.cwd, given.target, overrides);
  const variations = atLeastOne(context, 'variations') ?? experiment.generation.variations;
  const attempts = atLeastOne(context, 'attempts') ?? 0;
  return { source: { kind: 'policy', experiment, directory, variations, attempts }, named };
}

/** A `--set` of what the command itself decides would have no effect. @throws UsageError */
function refuseDecided(sets: readonly string[], server: readonly string[]): void {
  const names = namedFields(sets);
  if (names.includes('mode')) {
    throw new UsageError('--set mode has no effect here.', 'make-tasks trains nothing, whatever the mode.');
  }
  const twice = namedFields(server).find((field) => names.includes(field));
  if (twice === undefined) return;
  throw new UsageError(`--url and --set ${twice} set the same.`, 'Give one of the two.');
}

/** `--url --model --key` as settings of the environment's endpoint. */
function serverOf({ arguments: given }: Context): string[] {
  const [url, model, key] = [given.text('url'), given.text('model'), given.text('key')];
  if (url === null) {
    if (model === null && key === null) return [];
    throw new UsageError(`--${model === null ? 'key' : 'model'} is of a server.`, 'Give --url URL with it.');
  }
  if (model === null) throw new UsageError('--url needs --model NAME.', 'NAME is the model, as the server names it.');
  const endpoint = 'endpoints.environment';
  const keyed = key === null ? [`${endpoint}.key=null`] : [`${endpoint}.key=${key}`];
  return [`${endpoint}.kind=openai`, `${endpoint}.url=${url}`, `${endpoint}.model=${model}`, ...keyed];
}

function atLeastOne({ arguments: given }: Context, option: string): number | null {
  const value = given.count(option);
  if (value === 0) throw new UsageError(`--${option} wants 1 or more, not 0.`, '');
  return value;
}

/** `0.1..0.9` @throws UsageError */
function shareRange({ arguments: given }: Context, option: string): readonly [number, number] | null {
  const text = given.text(option);
  if (text === null) return null;
  const [, low, high] = /^(\d+(?:\.\d+)?)\.\.(\d+(?:\.\d+)?)$/.exec(text) ?? [];
  const [from, to] = [Number(low), Number(high)];
  if (low !== undefined && from <= to && to <= 1) return [from, to];
  throw new UsageError(`--${option} wants a range, as 0.1..0.9, not "${text}".`, '');
}

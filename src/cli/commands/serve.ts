import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { embeddedAssets } from '../../endpoints/embedded/assets.ts';
import { differences, isDifference, type Difference } from '../../serve/differences.ts';
import { faultKinds, Faults, parseFaultRule, type FaultRule } from '../../serve/faults/faults.ts';
import { UnknownCall } from '../../serve/faults/unknownCall.ts';
import { startServer, type RunningServer } from '../../serve/server.ts';
import { codeOf } from '../../shared/systemError.ts';
import type { Surroundings } from '../context.ts';
import { exitCode, type ExitCode } from '../exitCode.ts';
import { watchInterrupts } from '../interrupts.ts';
import { warningsTo } from '../terminal.ts';
import { UsageError } from '../usageError.ts';

const defaultPort = 8787;
/** Reached from this machine alone. */
const loopback = ['127.0.0.1', '::1', 'localhost'];

/** `genenv serve`: answers until Ctrl-C. */
export async function serve({ terminal, arguments: given, dist }: Surroundings): Promise<ExitCode> {
  const { out, env, cwd } = terminal;
  const host = given.text('host') ?? '127.0.0.1';
  const port = portOf(given.count('port'));
  const state = resolve(cwd, given.text('state') ?? join('.genenv', 'serve'));
  const key = env['GENENV_SERVE_KEY'] ?? '';
  const rules = given.all('fault').map(faultOf);
  const seed = given.text('fault-seed') ?? '0';
  const differing = given.all('differ').map(differenceOf);
  const { worker, kernels, weights } = embeddedAssets(dist);
  const server = await startServer({
    models: {
      ...{ worker, kernels: await readFile(kernels) },
      weights: { agent: await readFile(weights.agent), environment: await readFile(weights.environment) },
    },
    ...{ host, port, state, names: given.all('allow-host') },
    ...{ key: key === '' ? null : key, faults: new Faults(rules, seed) },
    differences: differing,
    log: warningsTo(terminal),
  }).catch((error: unknown) => {
    throw reworded(error, { port, host, state });
  });
  if (!loopback.includes(host) && key === '') {
    warningsTo(terminal)(`Everyone who reaches ${host} can use this server. Set GENENV_SERVE_KEY to ask for a key.`);
  }
  out.write(greeting(server.url, state, key !== '', rules, differing));
  await untilInterrupted(server, () => terminal.now());
  out.write('Stopped.\n');
  return exitCode.done;
}

function greeting(
  url: string,
  state: string,
  asksKey: boolean,
  rules: readonly FaultRule[],
  differing: readonly Difference[],
): string {
  const faults = rules.map(({ fault, share, path }) => `${fault} ${share}${path === undefined ? '' : ` at ${path}`}`);
  return [
    `Serving genenv/agent and genenv/environment at ${url}`,
    `  Tinker protocol          ${url}  (TINKER_BASE_URL)`,
    `  OpenAI-compatible        ${url}/v1`,
    `  Checkpoints              ${state}`,
    `  Key                      ${asksKey ? 'the one in GENENV_SERVE_KEY' : 'none: any is taken'}`,
    ...(faults.length === 0 ? [] : [`  Faults on purpose        ${faults.join(', ')}`]),
    ...differing.map((name) => `  Differs on purpose       ${name}: ${differences[name]}`),
    'Ctrl-C stops it.',
    '',
  ].join('\n');
}

async function untilInterrupted(server: RunningServer, now: () => number): Promise<void> {
  const { promise, resolve: pressed } = Promise.withResolvers<null>();
  const interrupts = watchInterrupts(
    now,
    () => pressed(null),
    () => process.exit(exitCode.paused),
  );
  await promise;
  await server.close();
  interrupts.dispose();
}

/** @throws UsageError */
function portOf(given: number | null): number {
  if (given !== null && given > 65_535) throw new UsageError(`${given} is no port.`, 'Give one from 0 to 65535.');
  return given ?? defaultPort;
}

/** @throws UsageError */
function faultOf(text: string): FaultRule {
  const rule = parseFaultRule(text);
  if (rule !== null) return rule;
  throw new UsageError(
    `--fault ${text} is not understood.`,
    `Write NAME=SHARE or NAME=SHARE@CALL, such as 500=0.1 or nan=0.05@retrieve_future. The names are ${Object.keys(faultKinds).join(', ')}.`,
  );
}

/** @throws UsageError */
function differenceOf(name: string): Difference {
  if (isDifference(name)) return name;
  throw new UsageError(`--differ ${name} is not understood.`, `The names are ${Object.keys(differences).join(', ')}.`);
}

/** The system's error about a port or folder, with a remedy. */
function reworded(error: unknown, { port, host, state }: { port: number; host: string; state: string }): unknown {
  if (error instanceof UnknownCall) {
    return new UsageError(
      `The server has no call “${error.call}” that can fail on purpose (--fault).`,
      `Name one of these after @: ${error.known.join(', ')}.`,
    );
  }
  const code = codeOf(error);
  // The system names a file where it refuses one, and none where it refuses a port.
  if (code !== '' && error instanceof Error && 'path' in error && typeof error.path === 'string') {
    const what = `The folder ${state} cannot be used: ${error.path} is refused (${code}).`;
    return new UsageError(what, 'Give another folder with --state, or correct its permissions.');
  }
  if (code === 'EADDRINUSE') {
    return new UsageError(`Port ${port} is taken.`, 'Give another with --port, or 0 for any that is free.');
  }
  if (code === 'EACCES')
    return new UsageError(`Port ${port} may not be used: ${String(error)}.`, 'Give one above 1023.');
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new UsageError(`This machine has no address ${host}.`, 'Give --host 127.0.0.1 or 0.0.0.0.');
  }
  return error;
}

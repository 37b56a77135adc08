/** `genenv`: from the words on a command line to an exit code. */
import { readFileSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { parseCommandLine, type CommandLine } from './commandLine.ts';
import type { Call, Context, Surroundings } from './context.ts';
import { exitCode, type ExitCode } from './exitCode.ts';
import { handlers } from './handlers.ts';
import { processTerminal, type Terminal } from './terminal.ts';
import { UsageError } from './usageError.ts';

/** Built, this file is a part in dist/cli/, below everything else that was built; as a source it is two folders away. */
const dist = new URL(import.meta.url.endsWith('/src/cli/main.ts') ? '../../dist/' : '../', import.meta.url);

function version(): string {
  const value: unknown = JSON.parse(readFileSync(new URL('../package.json', dist), 'utf8'));
  const isPackage = typeof value === 'object' && value !== null && 'version' in value;
  if (!isPackage || typeof value.version !== 'string') throw new Error('The program’s package.json has no version.');
  return value.version;
}

/** How a person calls this program here: by name when it is installed, by its file otherwise. */
function callOf({ env, cwd }: Terminal, program: string, root: string | null): Call {
  const named = basename(program) === 'genenv' ? 'genenv' : `node ${relative(cwd, program) || program}`;
  const base = env['GENENV_COMMAND'] ?? (env['npm_command'] === 'exec' ? 'npx genenv' : named);
  return (command) => `${base} ${command}${root === null ? '' : ` --root ${root}`}`;
}

async function execute(line: CommandLine, terminal: Terminal, program: string): Promise<ExitCode> {
  if (line.kind === 'version') {
    terminal.out.write(`${version()}\n`);
    return exitCode.done;
  }
  if (line.kind === 'help') {
    const { commandHelp, generalHelp } = await import('./helpText.ts');
    terminal.out.write(line.command === null ? generalHelp(version()) : commandHelp(line.command));
    return exitCode.done;
  }
  const root = line.arguments.text('root');
  const surroundings: Surroundings = {
    terminal,
    arguments: line.arguments,
    dist,
    call: callOf(terminal, program, root),
    get version() {
      return version();
    },
  };
  return handlers[line.command](surroundings, (of) => openRuns(of, root));
}

async function openRuns(surroundings: Surroundings, root: string | null): Promise<Context> {
  const { terminal, version } = surroundings;
  const log = {
    info: () => undefined,
    warn: (message: string) => terminal.err.write(`${terminal.err.style.warn('warning:')} ${message}\n`),
  };
  const folder = root === null ? join(terminal.cwd, '.genenv', 'runs') : resolve(terminal.cwd, root);
  const { RunStore } = await import('../runs/runStore.ts');
  return { ...surroundings, store: new RunStore(folder, { clock: terminal, log, version }) };
}

/** The oldest Node that has what the engine uses. */
const oldestNode = 22;

/** @throws UsageError */
function checkNode(): void {
  if (Number(process.versions.node.split('.')[0]) >= oldestNode) return;
  throw new UsageError(
    `genenv runs on Node ${oldestNode} or newer; this is ${process.version}.`,
    'In a clone of the project, "npm run genenv -- …" runs it on the Node that the project brings.',
  );
}

async function main(words: readonly string[], program: string): Promise<ExitCode> {
  const terminal = processTerminal();
  try {
    checkNode();
    return await execute(parseCommandLine(words), terminal, program);
  } catch (error) {
    const { failureOf, writeFailure } = await import('./failure.ts');
    const failure = failureOf(error);
    writeFailure(terminal.err, failure, words.includes('--json'));
    return failure.code;
  }
}

// Until it has ended: a program that stops half way has not done what it was asked.
process.exitCode = exitCode.failed;
void main(process.argv.slice(2), process.argv[1] ?? 'genenv').then((code) => {
  process.exitCode = code;
});

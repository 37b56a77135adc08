/** `genenv`: from the words on a command line to an exit code. */
import { readFileSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { shellCommand } from '../shared/text/shellCommand.ts';
import { parseCommandLine, type CommandLine } from './commandLine.ts';
import type { Call, Context, Surroundings } from './context.ts';
import { exitCode, type ExitCode } from './exitCode.ts';
import { handlers } from './handlers.ts';
import { processTerminal, warningsTo, type Terminal } from './terminal.ts';
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
  const line = (words: readonly string[]): string => shellCommand(words, process.platform === 'win32');
  const named = basename(program) === 'genenv' ? 'genenv' : line(['node', relative(cwd, program) || program]);
  const base = env['GENENV_COMMAND'] ?? (env['npm_command'] === 'exec' ? 'npx genenv' : named);
  return (...words) => `${base} ${line([...words, ...(root === null ? [] : ['--root', root])])}`;
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
    warn: warningsTo(terminal),
  };
  const folder = root === null ? join(terminal.cwd, '.genenv', 'runs') : resolve(terminal.cwd, root);
  const { RunStore } = await import('../runs/store/runStore.ts');
  return { ...surroundings, store: new RunStore(folder, { clock: terminal, log, version }) };
}

/**
 * The oldest Node with the features that this program uses: hooks that load a user's TypeScript. As in package.json.
 */
const oldestNode = [22, 15] as const;

/** @throws UsageError */
function checkNode(): void {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [oldest, since] = oldestNode;
  if (major > oldest || (major === oldest && minor >= since)) return;
  throw new UsageError(
    `genenv runs on Node ${oldestNode.join('.')} or newer; this is ${process.version}.`,
    'In a clone of the project, "npm run genenv -- …" runs it on the Node that the project brings.',
  );
}

async function main(words: readonly string[], program: string, terminal: Terminal): Promise<ExitCode> {
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

/** Commands whose results are in files: a failed output must not end a run. */
const keptElsewhere: ReadonlySet<string | undefined> = new Set(['run', 'resume', 'branch', 'serve']);

const terminal = processTerminal();
const words = process.argv.slice(2);
// Until it has ended: a program that stops half-way has failed.
process.exitCode = exitCode.failed;
void main(words, process.argv[1] ?? 'genenv', terminal).then((code) => {
  process.exitCode = code;
});
// A stream reports a failed write later than the write.
process.once('exit', () => {
  if (terminal.lost === null) return;
  if (process.exitCode === exitCode.done && !keptElsewhere.has(words[0])) process.exitCode = exitCode.failed;
  terminal.err.write(`genenv: some output was not written: ${terminal.lost.message}\n`);
});

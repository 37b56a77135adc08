/** `genenv`: from the words on a command line to an exit code. */
import { readFileSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import * as z from 'zod';
import { RunStore } from '../runs/runStore.ts';
import { parseCommandLine, type CommandLine } from './commandLine.ts';
import type { CommandName } from './commandSpec.ts';
import { auditRewards } from './commands/auditRewards.ts';
import { branch } from './commands/branch.ts';
import { edit } from './commands/edit.ts';
import { change, pause } from './commands/steer.ts';
import { check } from './commands/check.ts';
import { checkAdapterCommand } from './commands/checkAdapter.ts';
import { compareEvaluationsCommand } from './commands/compareEvaluations.ts';
import { doctor } from './commands/doctor.ts';
import { evaluateCommand } from './commands/evaluate.ts';
import { exportCommand } from './commands/export.ts';
import { health } from './commands/health.ts';
import { importCommand } from './commands/import.ts';
import { list } from './commands/list.ts';
import { reattemptCommand } from './commands/reattempt.ts';
import { report } from './commands/report.ts';
import { rescoreCommand } from './commands/rescore.ts';
import { resume } from './commands/resume.ts';
import { run } from './commands/run.ts';
import { score } from './commands/score.ts';
import { search } from './commands/search.ts';
import { serve } from './commands/serve.ts';
import { show } from './commands/show.ts';
import { suggestCasesCommand } from './commands/suggestCases.ts';
import { testReward } from './commands/testReward.ts';
import { validate } from './commands/validate.ts';
import type { Call, Context } from './context.ts';
import { exitCode, type ExitCode } from './exitCode.ts';
import { failureOf, writeFailure } from './failure.ts';
import { commandHelp, generalHelp } from './helpText.ts';
import { processTerminal, type Terminal } from './terminal.ts';
import { UsageError } from './usageError.ts';

const handlers: Record<CommandName, (context: Context) => Promise<ExitCode>> = {
  run,
  resume,
  branch,
  change,
  pause,
  edit,
  health,
  reattempt: reattemptCommand,
  list,
  show,
  search,
  report,
  export: exportCommand,
  import: importCommand,
  score,
  evaluate: evaluateCommand,
  'compare-evaluations': compareEvaluationsCommand,
  'test-reward': testReward,
  'suggest-cases': suggestCasesCommand,
  rescore: rescoreCommand,
  'audit-rewards': auditRewards,
  validate,
  check,
  'check-adapter': checkAdapterCommand,
  doctor,
  serve,
};

/** Built, this file is dist/cli.js beside everything else that was built; as a source it is two folders away. */
const dist = new URL(import.meta.url.endsWith('/cli.js') ? './' : '../../dist/', import.meta.url);

function version(): string {
  const text = readFileSync(new URL('../package.json', dist), 'utf8');
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
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
    terminal.out.write(line.command === null ? generalHelp(version()) : commandHelp(line.command));
    return exitCode.done;
  }
  const root = line.arguments.text('root');
  const log = {
    info: () => undefined,
    warn: (message: string) => terminal.err.write(`${terminal.err.style.warn('warning:')} ${message}\n`),
  };
  const folder = root === null ? join(terminal.cwd, '.genenv', 'runs') : resolve(terminal.cwd, root);
  const store = new RunStore(folder, { clock: terminal, log, version: version() });
  const call = callOf(terminal, program, root);
  return handlers[line.command]({ terminal, arguments: line.arguments, store, dist, call, version: version() });
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
    const failure = failureOf(error);
    writeFailure(terminal.err, failure, words.includes('--json'));
    return failure.code;
  }
}

process.exitCode = await main(process.argv.slice(2), process.argv[1] ?? 'genenv');

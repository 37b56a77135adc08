/** `genenv health RUN`: which tasks of a run look wrong, and why. */
import { openHealth } from '../node/openHealth.ts';
import { editedTask } from '../../../launch/taskEdits.ts';
import { flagsIn, type HealthFlag, type RunFlags, type TaskHealth } from '../contract.ts';
import type { RunReader } from '../../../runs/store/runReader.ts';
import { nearest } from '../../../shared/experiment/problems/nearest.ts';
import { flagNames, type FlagName } from '../../tasks/contract.ts';
import { writeJson, type Context } from '../../../cli/context.ts';
import { exitCode, type ExitCode } from '../../../cli/exitCode.ts';
import { writeLines } from '../../../cli/terminal.ts';
import { count, plural } from '../../../shared/text/figures/numbers.ts';
import { table } from '../../../cli/text/table.ts';
import { UsageError } from '../../../cli/usageError.ts';

/** More would scroll past the reader. */
const most = 50;

interface Flagged {
  id: string;
  flags: FlagName[];
}

export async function health(context: Context): Promise<ExitCode> {
  const { store, arguments: given } = context;
  const wanted = given.all('flag').map(flagNamed);
  const reader = await store.openReader(given.target);
  try {
    const task = given.text('task');
    const opened = await openHealth(reader);
    if (task === null) await overview(context, reader, opened, wanted);
    else await ofOne(context, reader, opened, task);
    return exitCode.done;
  } finally {
    await reader.close();
  }
}

function flagNamed(text: string): FlagName {
  const known = flagNames.find((name) => name === text);
  if (known !== undefined) return known;
  const near = nearest(text, flagNames);
  const all = `The flags are ${flagNames.join(', ')}.`;
  throw new UsageError(`There is no flag "${text}".`, near === null ? all : `Did you mean "${near}"?`);
}

async function ofOne({ terminal, arguments: given }: Context, run: RunReader, opened: TaskHealth, id: string) {
  const { task } = await editedTask(run, id);
  const flags = await opened.of(task);
  if (given.has('json')) writeJson(terminal, { id, flags });
  else terminal.out.write(flags.length === 0 ? `Nothing is wrong with ${id}.\n` : `${sentences(flags).join('\n')}\n`);
}

const sentences = (flags: readonly HealthFlag[]): string[] => flags.map(({ flag, why }) => `${flag}: ${why}`);

async function overview(
  { terminal, arguments: given, call }: Context,
  run: RunReader,
  opened: TaskHealth,
  wanted: readonly FlagName[],
): Promise<void> {
  const found = await opened.scan({ signal: new AbortController().signal });
  const { tasks, flagged } = await namesOf(run, found);
  const counts = Object.fromEntries(
    flagNames.map((name) => [name, flagged.filter(({ flags }) => flags.includes(name)).length]),
  );
  const shown = flagged.filter(({ flags }) => wanted.every((name) => flags.includes(name)));
  if (given.has('json')) {
    writeJson(terminal, { id: run.id, tasks, counts, flagged: shown });
    return;
  }
  const { out } = terminal;
  const rest = tasks - flagged.length;
  out.write(`${plural(tasks, 'task')}, ${count(rest)} without a flag.\n`);
  for (const name of flagNames) if ((counts[name] ?? 0) > 0) out.write(`  ${count(counts[name] ?? 0)} ${name}\n`);
  if (shown.length === 0) return;
  const listed = shown.slice(0, most);
  const lines = table(
    [
      { title: 'task', cell: ({ id }) => id },
      { title: 'flags', cell: ({ flags }) => flags.join(', '), shrinks: true },
    ],
    listed,
    out.isTTY ? out.columns : Infinity,
  );
  writeLines(out, ['', ...lines]);
  if (shown.length > listed.length) out.write(`… and ${count(shown.length - listed.length)} more: all with --json.\n`);
  out.write(`Why: ${call('health', run.id, '--task', listed[0]?.id ?? '')}\n`);
}

/** Tasks that the run accepted or was given, and those with flags, in the order written. */
async function namesOf(
  run: RunReader,
  { recorded, given, givenTasks }: RunFlags,
): Promise<{ tasks: number; flagged: Flagged[] }> {
  const flagged: Flagged[] = [...given].map(([id, mask]) => ({ id, flags: flagsIn(mask) }));
  let tasks = givenTasks;
  let row = 0;
  for await (const { id, status } of run.tasks()) {
    if (status === 'accepted') tasks += 1;
    const flags = flagsIn(recorded[row] ?? 0);
    if (flags.length > 0) flagged.push({ id, flags });
    row += 1;
  }
  return { tasks, flagged };
}

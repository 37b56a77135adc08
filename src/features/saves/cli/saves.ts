/** `genenv saves RUN`. */
import { cliKeys } from '../../../cli/consent/cliKeys.ts';
import { writeJson, type Context } from '../../../cli/context.ts';
import { exitCode, type ExitCode } from '../../../cli/exitCode.ts';
import { stopAtInterrupt } from '../../../cli/interrupts.ts';
import { writeLines } from '../../../cli/terminal.ts';
import { table } from '../../../cli/text/table.ts';
import { UsageError } from '../../../cli/usageError.ts';
import { bytes } from '../../../shared/text/figures/bytes.ts';
import { localMoment } from '../../../shared/text/figures/moments.ts';
import { plural } from '../../../shared/text/figures/numbers.ts';
import { deleteSaves, refuseUnfinished } from '../node/deleteSaves.ts';
import { runSaves, type RunSave, type RunSaves, type SavesTools } from '../node/runSaves.ts';

export async function savesCommand(context: Context): Promise<ExitCode> {
  const { store, arguments: given, terminal } = context;
  const named = given.all('delete');
  if (given.has('yes') && named.length === 0) throw new UsageError('--yes goes with --delete.', 'Give both.');
  const interrupts = stopAtInterrupt(terminal);
  const tools = { keys: await cliKeys(context), signal: interrupts.signal };
  const run = await store.openReader(given.target);
  try {
    const found = await runSaves(store, run, tools);
    if (named.length === 0) {
      list(context, found);
      return exitCode.done;
    }
    await refuseUnfinished(store, run.id);
    const handles = new Set(named.includes('all') ? free(found).map(({ handle }) => handle) : named);
    if (given.has('yes')) return await carryOut(context, run.id, handles, tools);
    const chosen = found.saves.filter(({ handle }) => handles.has(handle));
    list(context, { ...found, saves: chosen });
    if (!given.has('json')) {
      terminal.out.write(`Nothing is deleted yet. To delete ${plural(chosen.length, 'save')}, add --yes.\n`);
    }
    return exitCode.done;
  } finally {
    await run.close();
    interrupts.dispose();
  }
}

const free = ({ saves }: RunSaves): RunSave[] => saves.filter(({ neededBy }) => neededBy.length === 0);

async function carryOut(
  { store, terminal, arguments: given }: Context,
  id: string,
  handles: ReadonlySet<string>,
  tools: SavesTools,
): Promise<ExitCode> {
  const { deleted, stayed } = await deleteSaves(store, id, handles, tools);
  if (given.has('json')) writeJson(terminal, { run: id, deleted, stayed });
  else {
    terminal.out.write(`Deleted ${plural(deleted.length, 'save')}.\n`);
    if (stayed.length > 0) terminal.out.write(`Its server did not delete ${stayed.join(', ')}.\n`);
  }
  return stayed.length > 0 ? exitCode.failed : exitCode.done;
}

function list({ terminal, arguments: given }: Context, { saves, deleted, unread }: RunSaves): void {
  if (given.has('json')) {
    const rows = saves.map(({ handle, role, place, bytes: size, time, neededBy }) => ({
      ...{ handle, role, kind: place.kind, bytes: size, time, neededBy },
    }));
    writeJson(terminal, { saves: rows, deleted, unread });
    return;
  }
  const { out, timezoneOffset } = terminal;
  const columns = [
    { title: 'save', cell: ({ handle }: RunSave) => handle },
    { title: 'of', cell: ({ role }: RunSave) => role },
    { title: 'size', cell: ({ bytes: size }: RunSave) => (size === null ? '' : bytes(size)), right: true },
    { title: 'saved', cell: ({ time }: RunSave) => (time === null ? '' : localMoment(time, timezoneOffset)) },
    { title: 'needed by', cell: ({ neededBy }: RunSave) => neededBy.join(', ') },
  ];
  if (saves.length === 0) out.write('Nothing of it is on its servers.\n');
  else writeLines(out, table(columns, saves));
  if (deleted > 0) out.write(`${plural(deleted, 'save')} deleted before.\n`);
  if (unread.length > 0) terminal.err.write(`Not read, so they may need any of these: ${unread.join(', ')}.\n`);
}

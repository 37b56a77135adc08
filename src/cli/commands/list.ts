import { writeJson, type Context } from '../context.ts';
import { exitCode, type ExitCode } from '../exitCode.ts';
import { stateText } from '../show/stateText.ts';
import { warningsTo, writeLines } from '../terminal.ts';
import { onOneLine } from '../text/styled.ts';
import { table } from '../text/table.ts';
import { localMoment } from '../../shared/text/figures/moments.ts';

/** `genenv list`. */
export async function list({ store, terminal, arguments: given }: Context): Promise<ExitCode> {
  const { runs, problems } = await store.scan();
  if (given.has('json')) {
    const rows = runs.map(({ id, name, mode, imported, state, ending, epoch, epochs, startedAt, label }) => ({
      id,
      name,
      mode,
      imported,
      state,
      ending,
      epoch,
      epochs,
      startedAt,
      tags: label.tags,
      archived: label.archived,
      study: label.study,
    }));
    writeJson(terminal, { runs: rows });
  } else if (runs.length === 0) terminal.out.write(`No runs in ${store.root}.\n`);
  else {
    const { out } = terminal;
    const lines = table(
      [
        { title: 'run', cell: ({ id }) => id },
        { title: 'name', cell: ({ name }) => onOneLine(name) },
        { title: 'mode', cell: ({ mode, imported }) => (imported === null ? mode : `from ${imported}`) },
        { title: 'state', cell: (head) => stateText(head) },
        { title: 'epoch', cell: ({ current, epochs }) => `${current}/${epochs}`, right: true },
        { title: 'started', cell: ({ startedAt }) => localMoment(startedAt, terminal.timezoneOffset) },
      ],
      runs,
    );
    writeLines(out, lines);
  }
  // A foreign or damaged folder must not hide the runs beside it, nor be passed over in silence.
  for (const { error } of problems) warningsTo(terminal)(error.message);
  return exitCode.done;
}

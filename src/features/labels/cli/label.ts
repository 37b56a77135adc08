/** `genenv label RUN`: what people say of attempts, and how far the run's judge agrees. */
import { userInfo } from 'node:os';
import { appendLabel } from '../../../runs/records/labelsFile.ts';
import { traceOfAnyone } from '../../../runs/records/traceOfAnyone.ts';
import { runPaths } from '../../../runs/store/runPaths.ts';
import type { RunReader } from '../../../runs/store/runReader.ts';
import { labelNameSchema, labelVersion, type LabelEvent, type PersonVerdict } from '../../../shared/records/label.ts';
import type { Arguments } from '../../../cli/commandLine.ts';
import { writeJson, type Context } from '../../../cli/context.ts';
import { exitCode, type ExitCode } from '../../../cli/exitCode.ts';
import { writeLines } from '../../../cli/terminal.ts';
import { UsageError } from '../../../cli/usageError.ts';
import { labelledRun } from '../node/labelledRun.ts';
import { agreementLines } from './agreementLines.ts';

export async function labelCommand({ terminal, store, arguments: given }: Context): Promise<ExitCode> {
  const trace = given.text('trace');
  const said = sayingOf(given, trace);
  const run = await store.openReader(given.target);
  try {
    if (trace !== null && said !== null) {
      await keep(run, { ...said, trace, at: terminal.now() });
      if (given.has('json')) writeJson(terminal, { run: run.id, trace, ...said });
    } else {
      const whole = await labelledRun(run);
      for (const error of whole.damaged) terminal.err.write(`${error.message}\n`);
      if (given.has('json')) writeJson(terminal, { run: run.id, ...whole, damaged: whole.damaged.length });
      else writeLines(terminal.out, agreementLines(whole, terminal.out.columns));
    }
    return exitCode.done;
  } finally {
    await run.close();
  }
}

type Saying = Pick<LabelEvent, 'verdict' | 'labels'>;

/** Null where the agreement is asked for. @throws UsageError */
function sayingOf(given: Arguments, trace: string | null): Saying | null {
  const labels = [...new Set(given.all('label'))];
  const [pass, fail, clear] = [given.has('pass'), given.has('fail'), given.has('clear')];
  const says = pass || fail || clear || labels.length > 0;
  if (trace === null && !says) return null;
  if (trace === null) throw new UsageError('A label needs --trace ID.', 'Ids stand in “genenv search”.');
  if (!says) throw new UsageError(`Nothing is said of ${trace}.`, 'Give --pass, --fail, --label WORD or --clear.');
  if (pass && fail) throw new UsageError('--pass and --fail contradict each other.', 'Give one of them.');
  if (clear && (pass || fail || labels.length > 0)) {
    throw new UsageError('--clear takes everything back.', 'Give it alone: a new label replaces the one before.');
  }
  const odd = labels.find((label) => !labelNameSchema.safeParse(label).success);
  if (odd !== undefined) {
    throw new UsageError(
      `"${odd}" is no label.`,
      'Use 1 to 40 letters, digits, _ . or -, beginning with a letter or digit.',
    );
  }
  if (labels.length > 20) throw new UsageError(`${labels.length} labels are too many.`, 'Give 20 at most.');
  const verdict: PersonVerdict | null = pass ? 'pass' : fail ? 'fail' : null;
  return { verdict, labels };
}

async function keep(run: RunReader, said: Saying & Pick<LabelEvent, 'trace' | 'at'>): Promise<void> {
  const { trace } = said;
  if ((await traceOfAnyone(run, trace)) === undefined) {
    throw new UsageError(`${run.id} has no attempt "${trace}".`, 'Ids stand in “genenv search”.');
  }
  await appendLabel(runPaths(run.dir).attemptLabels, { v: labelVersion, author: userInfo().username, ...said });
}

/** `genenv reattempt RUN --task ID`: the run's newest agent at one task, as recorded and as people left it. */
import { userInfo } from 'node:os';
import { resolve } from 'node:path';
import * as z from 'zod';
import { pooled } from '../../../engine/math/successRate.ts';
import { reattempt } from '../node/reattempt.ts';
import { editedTask } from '../../../launch/taskEdits.ts';
import { parseOrUndefined } from '../../../shared/json.ts';
import { ratesOf, type Reattempt } from '../../../shared/records/reattempt.ts';
import { taskDraftSchema, type Task } from '../../../shared/records/task.ts';
import { codeOf } from '../../../shared/systemError.ts';
import { defined } from '../../../shared/defined.ts';
import { cliKeys } from '../../../cli/consent/cliKeys.ts';
import { writeJson, type Context } from '../../../cli/context.ts';
import { exitCode, type ExitCode } from '../../../cli/exitCode.ts';
import { writeLines } from '../../../cli/terminal.ts';
import { stopAtInterrupt } from '../../../cli/interrupts.ts';
import { measured } from '../../../shared/text/figures/intervals.ts';
import { plural } from '../../../shared/text/figures/numbers.ts';
import { UsageError } from '../../../cli/usageError.ts';
import { strictText } from '../../../launch/inputs/strictText.ts';

const editSchema = z.strictObject(
  taskDraftSchema.pick({ prompt: true, tools: true, evaluation: true, gold: true }).partial().shape,
);
type Edit = Partial<Pick<Task, 'prompt' | 'tools' | 'evaluation' | 'gold'>>;

export async function reattemptCommand(context: Context): Promise<ExitCode> {
  const { terminal, store, arguments: given, dist } = context;
  const id = given.text('task');
  if (id === null) throw new UsageError('"genenv reattempt" needs --task ID.', 'Ids stand in “genenv show”.');
  const attempts = given.count('attempts');
  if (attempts === 0) throw new UsageError('--attempts 0 attempts nothing.', 'Give 1 or more.');
  const file = given.text('edit');
  const edit = file === null ? null : await readEdit(resolve(terminal.cwd, file), file);
  const interrupts = stopAtInterrupt(terminal);
  const run = await store.openReader(given.target);
  try {
    const { task, recorded, overlay } = await editedTask(run, id);
    const changed = edit !== null || Object.keys(overlay?.fields ?? {}).length > 0;
    const edited = changed ? { ...task, ...edit } : null;
    const result = await reattempt(
      {
        ...{ agent: { run }, task: recorded, edited, author: userInfo().username },
        attempts: attempts ?? run.manifest.experiment.rollouts.group,
      },
      {
        ...{ dist, clock: terminal, keys: await cliKeys(context), signal: interrupts.signal },
        log: { info: () => undefined, warn: (message) => terminal.err.write(`${message}\n`) },
      },
    );
    if (given.has('json')) writeJson(terminal, { ...result, rates: ratesOf(result) });
    else writeLines(terminal.out, linesOf(result));
    return result.state === 'finished' ? exitCode.done : result.state === 'stopped' ? exitCode.paused : exitCode.failed;
  } finally {
    interrupts.dispose();
    await run.close();
  }
}

function linesOf(result: Reattempt): string[] {
  const { task, version, edited, message } = result;
  const { before, after } = ratesOf(result);
  const was = edited === null ? 'as recorded' : 'before the edit';
  return [
    `${task} by ${version}, ${plural(after.attempts, 'attempt')}:`,
    `  ${was}: ${measured(pooled([before]))}, ${before.successes} of ${before.attempts}`,
    `  now: ${measured(pooled([after]))}, ${after.successes} of ${after.attempts}`,
    ...(message === null ? [] : [message]),
  ];
}

/** Fields of a task as they are to be tried. @throws UsageError */
async function readEdit(path: string, file: string): Promise<Edit> {
  const text = await strictText(path).catch((error: unknown) => {
    if (codeOf(error) === '') throw error;
    throw new UsageError(`--edit ${file} cannot be read.`, 'Give a file with fields of the task as JSON.');
  });
  const parsed = editSchema.safeParse(parseOrUndefined(text));
  if (parsed.success) return given(parsed.data);
  const [issue] = parsed.error.issues;
  const field = issue?.path.join('.') ?? '';
  throw new UsageError(
    `--edit ${file}: ${field === '' ? 'it is no task' : `field "${field}"`}: ${issue?.message ?? 'not as expected'}.`,
    'It holds any of prompt, tools, evaluation and gold, as a JSON object.',
  );
}

function given({ prompt, tools, evaluation, gold }: z.infer<typeof editSchema>): Edit {
  return {
    ...defined({ prompt, tools, evaluation, gold }),
  };
}

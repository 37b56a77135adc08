/** `genenv pool RUN`: attempts of people in its agent pool. */
import { userInfo } from 'node:os';
import { writeJson, type Context } from '../../../cli/context.ts';
import { exitCode, type ExitCode } from '../../../cli/exitCode.ts';
import { writeLines } from '../../../cli/terminal.ts';
import { onOneLine } from '../../../cli/text/styled.ts';
import { UsageError } from '../../../cli/usageError.ts';
import { editTasks, type EditOutcome } from '../../../runs/records/editTasks.ts';
import type { PoolEffect } from '../core/poolEffect.ts';
import { admission, admittedAttempts, withdrawal, type AdmittedAttempt } from '../node/admitted.ts';

export async function poolCommand({ terminal, store, arguments: given }: Context): Promise<ExitCode> {
  const [add, remove] = [given.text('add'), given.text('remove')];
  if (add !== null && remove !== null) {
    throw new UsageError('--add and --remove contradict each other.', 'Give one of them.');
  }
  const reader = await store.openReader(given.target);
  const tell = (lines: readonly string[]): void => writeLines(terminal.out, lines.map(onOneLine));
  try {
    if (add === null && remove === null) {
      const attempts = await admittedAttempts(reader);
      if (given.has('json')) writeJson(terminal, { id: reader.id, attempts });
      else tell(attempts.length === 0 ? [nothing] : attempts.map(lineOf));
      return exitCode.done;
    }
    const made =
      add === null ? { edit: await withdrawal(reader, remove ?? ''), effect: null } : await admission(reader, add);
    const author = userInfo().username;
    const edits = made === null ? [] : [made.edit];
    const outcome = edits.length === 0 ? null : await editTasks(store, reader.id, { edits, author, clock: terminal });
    const effect = made?.effect ?? null;
    if (given.has('json')) writeJson(terminal, { id: reader.id, edits, effect, outcome });
    else if (outcome === null) tell(['Nothing changes: it is in the agent pool already.']);
    else tell([when(outcome), ...(effect === null ? ['It is out of the agent pool.'] : [effectWords[effect], always])]);
    return exitCode.done;
  } finally {
    await reader.close();
  }
}

const nothing = 'No attempt of a person is in the agent pool. Add one with --add TRACE.';
const always =
  'The agent is not trained on these words, and no success rate counts them. Exports of the pool hold them.';

const lineOf = ({ trace, by, epoch }: AdmittedAttempt): string =>
  epoch === null
    ? `${trace}  waits for the next epoch that is not sampled yet`
    : `${trace}  from epoch ${epoch} on, added by ${by ?? ''}`;

const when = (outcome: EditOutcome): string =>
  outcome.state === 'waiting'
    ? 'The run takes it with its next epoch that is not sampled yet.'
    : `Journaled. It holds from epoch ${outcome.epoch} on.`;

const effectWords: Record<PoolEffect, string> = {
  joins: 'Batches may draw its task from then on: the agent attempts it afresh and learns from its own attempts.',
  pooled: 'Batches could draw its task before, by an attempt of the agent: what the run draws does not change.',
  given: 'Its task is given data, which batches draw anyway: what the run draws does not change.',
  'not-drawn': 'This run draws nothing from its agent pool (rollouts.poolShare, mode): what it draws does not change.',
  finished: 'The run is finished: it draws nothing any more.',
};

/** `genenv set RUN FIELD=VALUE…` and `genenv pause RUN`: requests to the run's writer, on this host or another. */
import { userInfo } from 'node:os';
import { experimentNext, requestChange } from '../../runs/journal/requestChange.ts';
import type { RunReader } from '../../runs/store/runReader.ts';
import { epochsAhead, takesHold } from '../../shared/experiment/changeable.ts';
import { spoken } from '../../shared/experiment/symbols.ts';
import { writeJson, type Context } from '../context.ts';
import { exitCode, type ExitCode } from '../exitCode.ts';
import { UsageError } from '../usageError.ts';

async function withRun<T>({ store, arguments: given }: Context, use: (run: RunReader) => Promise<T>): Promise<T> {
  const reader = await store.openReader(given.target);
  try {
    return await use(reader);
  } finally {
    await reader.close();
  }
}

export async function change(context: Context): Promise<ExitCode> {
  const { terminal, arguments: given } = context;
  const texts = given.all('set');
  if (texts.length === 0)
    throw new UsageError('"genenv change" needs --set FIELD=VALUE.', 'As in --set curriculum.alpha=0.4.');
  return withRun(context, async (run) => {
    const changes = await requestChange(run, texts, userInfo().username);
    if (given.has('json')) {
      writeJson(terminal, { id: run.id, changes });
      return exitCode.done;
    }
    const experiment = await experimentNext(run);
    for (const { field, to } of changes) {
      const ahead = epochsAhead(experiment, field);
      const when = takesHold(field) === 'scoring' ? 'the next scoring' : 'the next epoch';
      const late = ahead === 0 ? '' : ` that is not sampled yet, up to ${ahead} later (rollouts.staleness)`;
      terminal.out.write(`${spoken(field)} becomes ${JSON.stringify(to)} with ${when}${late}.\n`);
    }
    if (changes.length === 0) terminal.out.write('Nothing changes: the run has these values already.\n');
    return exitCode.done;
  });
}

export async function pause(context: Context): Promise<ExitCode> {
  const { terminal, arguments: given, call } = context;
  return withRun(context, async (run) => {
    const { state } = await run.head();
    const running = state === 'running';
    if (running) await run.inbox.post({ type: 'pause', author: userInfo().username });
    if (given.has('json')) writeJson(terminal, { id: run.id, asked: running, state });
    else if (running) {
      terminal.out.write(
        `Asked. ${run.id} pauses at its next phase boundary; resume with: ${call('resume', run.id)}\n`,
      );
    } else terminal.out.write(`${run.id} is not running: it is ${state}.\n`);
    return exitCode.done;
  });
}

import type { RunReader } from '../../runs/store/runReader.ts';
import type { Context } from '../context.ts';
import { exitCode, type ExitCode } from '../exitCode.ts';
import { showEpochs, showFamilies, showJobs, showTasks, showTimeline, showTrace, showWritten } from '../show/views.ts';
import { UsageError } from '../usageError.ts';

type View = 'epochs' | 'families' | 'tasks' | 'trace' | 'jobs' | 'timeline' | 'written';
const views: Record<View, (context: Context, reader: RunReader) => Promise<void>> = {
  epochs: showEpochs,
  families: showFamilies,
  tasks: showTasks,
  trace: showTrace,
  jobs: showJobs,
  timeline: showTimeline,
  written: showWritten,
};

/** `genenv show RUN`. */
export async function show(context: Context): Promise<ExitCode> {
  const { store, arguments: given } = context;
  const view = chosen(context);
  given.count('epoch');
  const reader = await store.openReader(given.target);
  try {
    await views[view](context, reader);
    return exitCode.done;
  } finally {
    await reader.close();
  }
}

function chosen({ arguments: given }: Context): View {
  const asked = (['epochs', 'families', 'tasks', 'trace', 'jobs', 'timeline', 'written'] as const).filter((view) =>
    given.has(view),
  );
  const [view, other] = asked;
  if (view !== undefined && other !== undefined) {
    throw new UsageError(`--${view} and --${other} are two views.`, 'Ask for one.');
  }
  // A family or an epoch alone says which view is meant.
  if (view === undefined) return given.has('family') ? 'tasks' : given.has('epoch') ? 'families' : 'epochs';
  if (view === 'tasks' && !given.has('family')) {
    throw new UsageError('--tasks needs --family F.', 'See the families with --families.');
  }
  return view;
}

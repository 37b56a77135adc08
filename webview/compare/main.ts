/** Runs on the same axes, their different settings, and whether a difference is more than chance. */
import '../lib/l10n.ts';
import { failureOf } from '../../src/shared/rpc/rpcError.ts';
import {
  choose,
  grown,
  opened,
  openRun,
  openTask,
  pair,
  save,
  type ComparedRun,
} from '../../src/features/compare/contract.ts';
import { connect, keep, restore } from '../lib/host.ts';
import { Loading } from '../lib/loading.ts';
import { navigationSchema, start } from './navigation.ts';
import { Page } from './page.ts';

let runs: ComparedRun[] = [];
const channel = connect((error) => {
  loading.done();
  page.tell(error.message);
});

const page = new Page(restore(navigationSchema) ?? start([]), {
  keep,
  ask: (first, second) => channel.call(pair, { first, second }),
  save: (file) => ask(channel.call(save, file)),
  openRun: (run) => ask(channel.call(openRun, { run })),
  openTask: (run, task) => ask(channel.call(openTask, { run, task })),
  chooseRuns: () => ask(channel.call(choose, null)),
});
const loading = new Loading(page.node);

function ask(answer: Promise<unknown>): void {
  answer.catch((error: unknown) => {
    const { message, remedy } = failureOf(error);
    page.tell(`${message} ${remedy}`.trim());
  });
}

channel.on(opened, (snapshot: { runs: ComparedRun[] }) => {
  runs = snapshot.runs;
  const dirs = runs.map(({ dir }) => dir);
  const kept = page.navigation;
  const navigation = kept.runs.join('\n') === dirs.join('\n') ? kept : start(dirs);
  // The host restores the panel from the saved state, so it is saved at once.
  keep(navigation);
  loading.done();
  page.open(runs, navigation);
});
channel.on(grown, ({ dir, state, epochs, validations, settings }) => {
  runs = runs.map((run) =>
    run.dir === dir
      ? {
          ...run,
          ...{ state, settings },
          epochs: [...run.epochs, ...epochs],
          validations: [...run.validations, ...validations],
        }
      : run,
  );
  page.update(runs);
});

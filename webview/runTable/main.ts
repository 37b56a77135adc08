/** Every run of the workspace: to sort, filter, name, tag, compare, archive and delete. */
import '../lib/l10n.ts';
import {
  compareRuns,
  deleteRuns,
  labelRuns,
  openRun,
  runsChanged,
  runsShown,
  runsWanted,
  saveTable,
} from '../../src/features/runTable/contract.ts';
import { failureOf } from '../../src/shared/rpc/rpcError.ts';
import { connect, keep, restore } from '../lib/host.ts';
import { Loading } from '../lib/loading.ts';
import { start, viewSchema } from './arrange.ts';
import { Page } from './page.ts';

const channel = connect((error) => failed(error));
const page = new Page(
  {
    label: (runs, change) => channel.call(labelRuns, { runs: [...runs], change }),
    open: (run) => channel.call(openRun, { run }),
    compare: (runs) => channel.call(compareRuns, { runs: [...runs] }),
    remove: (runs) => channel.call(deleteRuns, { runs: [...runs] }),
    save: (name, text) => channel.call(saveTable, { name, text }),
    keep,
    failed,
  },
  restore(viewSchema) ?? start,
);
const loading = new Loading(page.node);

function failed(error: unknown): void {
  const { message, remedy } = failureOf(error);
  page.notice.hidden = false;
  page.notice.textContent = `${message} ${remedy}`.trim();
  loading.done();
}

channel.on(runsShown, ({ rows }) => {
  // Before it is filled: a list can be measured only once it is in the page.
  loading.done();
  page.show(rows);
});
channel.on(runsChanged, ({ rows, gone }) => page.changed(rows, gone));
channel.on(runsWanted, ({ study }) => page.want(study));

// Leaving the page commits typed text.
window.addEventListener('blur', () => page.commit());
window.addEventListener('keydown', (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'f') return;
  event.preventDefault();
  page.find();
});

/** A run under another reward: flipped verdicts, and their consequences. */
import '../lib/l10n.ts';
import {
  keptRescoreSchema,
  openFault,
  openRescoreRow,
  rescoreAct,
  rescored,
  rescoreRows,
  saveRescore,
} from '../../src/features/rescore/contract/page.ts';
import { connect, keep, restore } from '../lib/host.ts';
import { Loading } from '../lib/loading.ts';
import { Page } from './page.ts';
import { messageOf } from '../../src/shared/messageOf.ts';

const channel = connect((error) => {
  loading.done();
  page.tell(error.message);
});
const page = new Page(restore(keptRescoreSchema)?.view ?? 'flips', {
  rows: (view, from, to) => channel.call(rescoreRows, { view, from, to }),
  open: (view, row) => void channel.call(openRescoreRow, { view, row }).catch(told),
  openFault: (fault, what) => void channel.call(openFault, { fault, what }).catch(told),
  act: (act) => void channel.call(rescoreAct, { act }).catch(told),
  save: (file) => void channel.call(saveRescore, file).catch(told),
  keep: ({ run, reward }, view) => keep({ run, reward, view }),
});
const loading = new Loading(page.node);

function told(error: unknown): void {
  page.tell(messageOf(error));
}

channel.on(rescored, (state) => {
  loading.done();
  page.show(state);
});

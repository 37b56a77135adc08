/** Hits of a search of traces as one long list. */
import '../lib/l10n.ts';
import { openRow, search, searched, searchRows, stopSearch } from '../../src/features/search/contract/page.ts';
import { connect, keep } from '../lib/host.ts';
import { Loading } from '../lib/loading.ts';
import { Page } from './page.ts';
import { messageOf } from '../../src/shared/messageOf.ts';

const channel = connect((error) => {
  loading.done();
  page.tell(error.message);
});
const page = new Page({
  search: async (text) => (await channel.call(search, { text })).problem,
  stop: () => void channel.call(stopSearch, null).catch(told),
  rows: (from, to) => channel.call(searchRows, { from, to }),
  open: (row) => void channel.call(openRow, { row }).catch(told),
});
const loading = new Loading(page.node);

function told(error: unknown): void {
  page.tell(messageOf(error));
}

channel.on(searched, (state) => {
  if (state.run !== null) keep({ run: state.run, text: state.text });
  loading.done();
  page.show(state);
});

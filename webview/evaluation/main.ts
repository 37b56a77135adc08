/** One evaluation: its scores beside the paper's figures, and the attempts that were not right. */
import '../lib/l10n.ts';
import {
  compareWith,
  continueEvaluation,
  evaluationProgress,
  evaluationShown,
  failingAttempts,
  openAttempt,
  openPair,
  pairShown,
  stopEvaluation,
} from '../../src/features/evaluation/contract.ts';
import { connect, keep } from '../lib/host.ts';
import { Loading } from '../lib/loading.ts';
import { Page } from './page.ts';
import { PairPage } from './pair/pairPage.ts';
import { messageOf } from '../../src/shared/messageOf.ts';

const channel = connect((error) => {
  loading.done();
  page.tell(error.message);
});
const page = new Page({
  failures: (from, to) => channel.call(failingAttempts, { from, to }),
  open: (id) => void channel.call(openAttempt, { id }).catch(told),
  goOn: () => void channel.call(continueEvaluation, null).catch(told),
  stop: () => void channel.call(stopEvaluation, null).catch(told),
  compare: () => void channel.call(compareWith, null).catch(told),
});
const loading = new Loading(page.node);

function told(error: unknown): void {
  page.tell(messageOf(error));
}

channel.on(evaluationShown, (state) => {
  keep({ folder: state.folder });
  loading.done();
  page.show(state);
});
const pair = new PairPage((task) => {
  channel.call(openPair, { task }).catch((error: unknown) => pair.tell(messageOf(error)));
});
channel.on(pairShown, (state) => {
  keep({ folders: state.sides.map(({ folder }) => folder) });
  loading.done();
  page.node.replaceWith(pair.node);
  pair.show(state);
});
channel.on(evaluationProgress, (progress) => page.progress(progress));

/** A page's state as tests show it. */
import type { SearchPageState, SearchRow } from '../../../../src/features/search/contract/page.ts';

export const text =
  '…first set f3 rice 4 second get f1 rice third wait for the timeout of the shelf, then clear f7 beans…';
export const at = text.indexOf('timeout');

export const row = (index: number): SearchRow => {
  const verdict = (['failed', 'solved', 'error'] as const)[index % 3] ?? 'failed';
  if (index % 7 === 6) {
    return {
      ...{ kind: 'task', id: `e2.f${index}.v1`, epoch: 2, verdict: null, reward: null, more: 0 },
      match: { turn: 0, of: 'content', snippet: { text: 'wait for the timeout', start: 13, end: 20 } },
    };
  }
  return {
    ...{ kind: 'trace', id: `e3/e3.f2.v1/r${index}`, epoch: 3, verdict, reward: verdict === 'solved' ? 1 : 0.25 },
    match: {
      turn: index % 4,
      of: index % 5 === 0 ? 'reasoning' : 'content',
      snippet: { text, start: at, end: at + 7 },
    },
    more: index % 4 === 0 ? 12 : 0,
  };
};

export const state = (rows: number, more: Partial<SearchPageState> = {}): SearchPageState => ({
  ...{
    search: 1,
    run: '/runs/one',
    runName: 'embedded demo',
    text: 'verdict:fail timeout',
    rows,
    traces: rows,
    tasks: 0,
  },
  ...{ share: null, limited: false, stopped: false, failure: null, history: ['tool:search', 'note:yes'] },
  ...more,
});

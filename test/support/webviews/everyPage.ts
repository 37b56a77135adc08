/** Each page of the extension with something on it, as its own tests open it. */
import * as adapter from '../../../src/features/adapter/contract.ts';
import * as attempts from '../../../src/features/attempts/contract.ts';
import { opened, pair, type Pair } from '../../../src/features/compare/contract.ts';
import * as evaluation from '../../../src/features/evaluation/contract.ts';
import * as play from '../../../src/features/play/contract.ts';
import * as preflight from '../../../src/features/preflight/contract.ts';
import * as rescore from '../../../src/features/rescore/contract/page.ts';
import { runsShown } from '../../../src/features/runTable/contract.ts';
import * as search from '../../../src/features/search/contract/page.ts';
import * as tokens from '../../../src/features/tokens/contract.ts';
import { studyShown } from '../../../src/features/study/contract/page.ts';
import * as talk from '../../../src/features/talk/contract.ts';
import type { Channel } from '../../../src/shared/rpc/channel.ts';
import { ScriptedHost } from '../calibration/scriptedHost.ts';
import { comparedRun } from '../compare/comparedRuns.ts';
import { syntheticEvents } from '../report/syntheticEvents.ts';
import { syntheticCourse } from '../report/syntheticRun.ts';
import { syntheticStudy } from '../study/syntheticStudy.ts';
import { ScriptedTasks } from '../tasks/scriptedTasks.ts';
import * as adapterSample from './samples/adapter.ts';
import * as attemptsSample from './samples/attempts.ts';
import * as evaluationSample from './samples/evaluation.ts';
import * as playSample from './samples/play.ts';
import * as preflightSample from './samples/preflight.ts';
import * as rescoreSample from './samples/rescore.ts';
import * as runTableSample from './samples/runTable.ts';
import * as searchSample from './samples/search.ts';
import * as tokensSample from './samples/tokens.ts';
import { curriculaStudy, StudyTextHost } from './studyTextHost.ts';
import * as talkSample from './samples/talk.ts';
import { TextHost } from './textHost.ts';

export interface SamplePage {
  onOpen: (channel: Channel) => void;
  /** A part that is there once the page shows its sample. */
  ready: string;
}

const range = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);

/** By the page's name. */
export const everyPage: Readonly<Record<string, () => SamplePage>> = {
  adapter: () => ({
    onOpen(channel) {
      const { adapter: written, data, recordAt, judge } = adapterSample;
      channel.handle(adapter.showRecord, recordAt);
      channel.handle(adapter.tryAnswer, ({ answer }) => judge(answer));
      const problems: adapter.AdapterDocument['problems'] = [];
      channel.emit(adapter.documentChanged, { file: 'cities.adapter.json', written, problems, editable: true });
      channel.emit(adapter.dataChanged, data);
    },
    ready: 'text=Which city has 1 bridges?',
  }),
  attempts: () => ({
    onOpen: (channel) =>
      channel.emit(attempts.shown, attemptsSample.task([0, 1, 2, 3].map((number) => attemptsSample.attempt(number)))),
    ready: '[role=grid]',
  }),
  calibration() {
    const course = syntheticCourse({ epochs: 12 });
    const host = new ScriptedHost(course.experiment, syntheticEvents(course, { changeAt: 9 }));
    return { onOpen: (channel) => host.open(channel), ready: '.tiles li' };
  },
  compare: () => ({
    onOpen(channel) {
      const specs = [7, 8].map((seed) => ({ name: 'co-evolved', seed, epochs: 12 }));
      channel.handle(pair, (): Pair => ({ comparable: false, why: 'no-shared-tasks' }));
      channel.emit(opened, { runs: specs.map((spec, i) => comparedRun(i, spec).run) });
    },
    ready: '#success svg[viewBox]',
  }),
  evaluation: () => ({
    onOpen(channel) {
      const { whole: state, failure } = evaluationSample;
      channel.handle(evaluation.failingAttempts, ({ from, to }) =>
        range(from, Math.min(to, state.failing)).map(failure),
      );
      channel.emit(evaluation.evaluationShown, { ...state, details: evaluationSample.details });
    },
    ready: 'text=live_simple_0',
  }),
  experiment() {
    const host = new TextHost(
      '{ "version": 1, "name": "a study", "preset": "embedded", "curriculum": { "alpha": 0.4 } }\n',
    );
    return { onOpen: (channel) => host.opened(channel), ready: '.field' };
  },
  play: () => ({ onOpen: (channel) => channel.emit(play.shown, playSample.asking), ready: 'textarea' }),
  preflight: () => ({
    onOpen(channel) {
      const { checks, failed } = preflightSample;
      const file = 'demo/embedded.genenv.json';
      const states = checks({ experiment: failed, trial: { state: 'warned' } });
      channel.emit(preflight.show, { uri: `file:///home/someone/${file}`, file, status: 'ready', checks: states });
    },
    ready: '.check',
  }),
  rescore: () => ({
    onOpen(channel) {
      const { state, family, flip } = rescoreSample;
      channel.handle(rescore.rescoreRows, ({ view, from, to }) =>
        range(from, to).map(view === 'families' ? family : flip),
      );
      channel.emit(rescore.rescored, state());
    },
    ready: '.virtual-row',
  }),
  runTable: () => ({
    onOpen: (channel) => channel.emit(runsShown, { rows: runTableSample.rows(30) }),
    ready: '.virtual-row',
  }),
  search: () => ({
    onOpen(channel) {
      channel.handle(search.searchRows, ({ from, to }) => range(from, Math.min(to, 300)).map(searchSample.row));
      channel.emit(search.searched, searchSample.state(300));
    },
    ready: '.virtual-row',
  }),
  study: () => ({ onOpen: (channel) => channel.emit(studyShown, syntheticStudy()), ready: 'path.mean' }),
  studyForm() {
    const host = new StudyTextHost(curriculaStudy);
    return { onOpen: (channel) => host.opened(channel), ready: '.card' };
  },
  talk: () => ({ onOpen: (channel) => channel.emit(talk.shown, talkSample.talking), ready: '.columns' }),
  tasks() {
    const host = new ScriptedTasks();
    return { onOpen: (channel) => host.opened(channel), ready: '.detail-title h2' };
  },
  tokens: () => ({ onOpen: (channel) => channel.emit(tokens.shown, tokensSample.tokens()), ready: '[role=option]' }),
};

/** A study's report: the page's own drawing, and the files and versions that it came from. */
import { studyReportVersion, type StudyReportData } from '../../src/features/study/contract/report.ts';
import { element } from '../lib/element.ts';
import { resultsOf, type Look } from './results.ts';
import { reportMoment } from '../../src/shared/text/figures/moments.ts';

/** Data and code of a report are written into one file together: only their version can disagree. */
function isStudyReport(value: unknown): value is StudyReportData {
  return typeof value === 'object' && value !== null && 'version' in value && value.version === studyReportVersion;
}

/** @param text the data's JSON; @throws Error for data of another version */
export function showStudy(main: HTMLElement | null, text: string): void {
  const data: unknown = JSON.parse(text);
  if (!isStudyReport(data)) throw new Error(`this page's data are not of study report version ${studyReportVersion}`);
  let view: Look = { course: 'validation', perSeed: false };
  const look = (change: Partial<Look>): void => {
    view = { ...view, ...change };
    body.replaceChildren(...resultsOf(data.results, view, { actions: [], look }));
  };
  const body = element('div', { class: 'page study-report' });
  main?.replaceChildren(body, sources(data));
  look({});
}

function sources({ files, versions, madeAt, thinned }: StudyReportData): HTMLElement {
  const made = reportMoment(madeAt);
  return element(
    'section',
    { id: 'sources', 'aria-labelledby': 'sources-heading' },
    element('h2', { id: 'sources-heading' }, 'Files and versions'),
    ...files.map(({ name, text }) =>
      element('details', { class: 'study-file' }, element('summary', {}, name), element('pre', {}, text)),
    ),
    element(
      'dl',
      { class: 'facts facts-small' },
      ...versions.map(({ name, value }) => element('div', {}, element('dt', {}, name), element('dd', {}, value))),
    ),
    element(
      'p',
      { class: 'note' },
      `${thinned === null ? '' : `${thinned} `}Made on ${made} from the study’s folder alone; this file needs no network.`,
    ),
  );
}

/**
 * The data of a study's report: written into the HTML file by `../node/writeStudyReport.ts`, read by
 * `webview/study/report.ts`. Types alone: the file's code carries no checks of what is written beside it.
 */
import type { StudyResults } from './page.ts';

/** Raised whenever a field changes its meaning: browser code refuses data of another version. */
export const studyReportVersion = 1;

interface NamedText {
  /** Without folders: those are the machine's. */
  name: string;
  text: string;
}

export interface StudyReportData {
  version: typeof studyReportVersion;
  results: StudyResults;
  /** The study file and its base experiment, as they were. */
  files: NamedText[];
  /** The software that wrote the finished runs, each once. */
  versions: { name: string; value: string }[];
  /** Milliseconds since the Unix epoch. */
  madeAt: number;
  /** Omissions for the size of the file, in a sentence; null where nothing was left out. */
  thinned: string | null;
}

/** A study's results as one HTML file. */
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
import { wholePage } from '../../report/node/page.ts';
import { pageCode } from '../../report/node/pageCode.ts';
import { ReportError } from '../../report/node/reportError.ts';
import { largestReport } from '../../report/node/writeReport.ts';
import { writeError } from '../../../runs/files/fileErrors.ts';
import { nodeFiles } from '../../../runs/files/fileOperations.ts';
import { refuseOwnFile } from '../../../runs/files/ownFiles.ts';
import { readManifest } from '../../../runs/store/manifest.ts';
import { runPaths } from '../../../runs/store/runPaths.ts';
import type { RunStore } from '../../../runs/store/runStore.ts';
import type { StudyReportData } from '../contract/report.ts';
import { reportPoints, studyReportData, type StudyReportFacts } from '../core/report.ts';
import { loadResults } from './loadResults.ts';
import type { OpenStudy } from './openStudy.ts';
import { inEnglish } from '../../../launch/language.ts';
import { keptFiles } from './studyFolder.ts';

export interface StudyReportOptions {
  /** Folder of the built browser code, with a slash at its end. */
  dist: URL;
  /** Where to write; `report.html` in the study's folder by default. */
  out?: string;
  /** Milliseconds since the Unix epoch. */
  madeAt: number;
}

/** Files that a study's results are made of, absolute. */
export const filesOfStudy = ({ path, base, folder }: OpenStudy): string[] => [
  path,
  base,
  ...keptFiles.map((name) => join(folder.dir, name)),
];

/**
 * One file, no network, at most 3 MB: lines per seed are thinned until it fits, and it says so.
 * @returns the file's path
 * @throws InputError for runs that were edited by hand; ReportError; RunError for what cannot be read or written
 */
export async function writeStudyReport(
  study: OpenStudy,
  store: RunStore,
  { dist, out, madeAt }: StudyReportOptions,
): Promise<string> {
  const path = out ?? join(study.folder.dir, 'report.html');
  refuseOwnFile(path);
  if (filesOfStudy(study).includes(resolve(path))) {
    throw new ReportError('own-file', l10n.t('{0} is a file of the study itself. Give another place.', path));
  }
  const code = await pageCode(dist);
  const results = await inEnglish(() => loadResults(study, store));
  const facts: StudyReportFacts = {
    files: [
      { name: basename(study.path), text: study.texts.study },
      { name: basename(study.base), text: study.texts.base },
    ],
    versions: await versionsOf(study, store),
    madeAt,
  };
  const title = `${results.name} · GenEnv study report`;
  const absent = `Allow scripts for it to see the study ${results.name}.`;
  const page = (data: StudyReportData): string => wholePage({ ...code, title, absent, dataId: 'study-data', data });
  let text = '';
  for (const points of reportPoints) {
    text = page(studyReportData(results, facts, points));
    if (Buffer.byteLength(text) <= largestReport) break;
  }
  const size = Buffer.byteLength(text);
  if (size > largestReport) {
    throw new ReportError(
      'too-large',
      l10n.t(
        'The report of “{0}” would be {1} bytes, and a report may be {2}: it has {3} arms and {4} comparisons. Write its tables with genenv study show FILE --markdown.',
        results.name,
        size,
        largestReport,
        results.arms.length,
        results.comparisons.length,
      ),
    );
  }
  try {
    if (out === undefined) await mkdir(dirname(path), { recursive: true });
    await nodeFiles.replace(path, text);
  } catch (error) {
    throw writeError(error, path);
  }
  return path;
}

/** Of the finished runs that are still there. @throws RunError for a `run.json` that cannot be read */
async function versionsOf({ folder }: OpenStudy, store: RunStore): Promise<StudyReportData['versions']> {
  const found = new Map<string, Set<string>>();
  for (const { run, finished } of folder.members.values()) {
    const dir = join(store.root, run);
    if (finished === null || !existsSync(runPaths(dir).manifest)) continue;
    for (const [name, value] of Object.entries((await readManifest(dir)).versions)) {
      found.set(name, (found.get(name) ?? new Set()).add(String(value)));
    }
  }
  return [...found].map(([name, values]) => ({ name, value: [...values].join(', ') }));
}

import { join } from 'node:path';
import { writeError } from '../../../runs/files/fileErrors.ts';
import { nodeFiles } from '../../../runs/files/fileOperations.ts';
import { refuseOwnFile } from '../../../runs/files/ownFiles.ts';
import { inEnglish } from '../../../launch/language.ts';
import { defaultLimits, gatherRun, reportData, type Limits } from './buildData.ts';
import { reportPage } from './page.ts';
import { pageCode } from './pageCode.ts';
import type { ReportSource } from './source.ts';

/** Bytes that a report should not exceed, so that it can be mailed and opens at once. */
export const largestReport = 3_000_000;

export interface ReportOptions {
  /** Folder of the built browser code, with a slash at its end: `report.js` and `report.css`. */
  dist: URL;
  /** Where to write; `report.html` in the run folder by default. */
  out?: string;
}

/**
 * Writes a run's report: one file, no network, at most 3 MB (bigger runs are thinned until they fit, and it says so).
 * @returns the file's path
 * @throws ReportError `not-built`, `bundle`; RunError for a run folder that cannot be read or written
 */
export async function writeReport(source: ReportSource, { dist, out }: ReportOptions): Promise<string> {
  const path = out ?? join(source.dir, 'report.html');
  refuseOwnFile(path);
  await writePage(path, await reportOf(source, dist));
  return path;
}

/** @param page as `reportOf` makes it. @throws RunError */
export async function writePage(path: string, page: string): Promise<void> {
  try {
    await nodeFiles.replace(path, page);
  } catch (error) {
    throw writeError(error, path);
  }
}

/**
 * The text of that file.
 * @throws ReportError `not-built`, `bundle`; RunError for a run folder that cannot be read
 */
export async function reportOf(source: ReportSource, dist: URL): Promise<string> {
  const code = await pageCode(dist);
  const run = await gatherRun(source);
  const madeAt = Date.now();
  let limits = defaultLimits;
  let page = reportPage({ data: inEnglish(() => reportData(run, madeAt, limits)), ...code });
  while (Buffer.byteLength(page) > largestReport && limits.epochs > 8) {
    limits = halved(limits);
    page = reportPage({ data: inEnglish(() => reportData(run, madeAt, limits)), ...code });
  }
  return page;
}

function halved({ epochs, families, tasks, text }: Limits): Limits {
  return { epochs: epochs >> 1, families: families >> 1, tasks: Math.max(2, tasks - 1), text: text >> 1 };
}

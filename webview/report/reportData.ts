import { reportVersion, type ReportData } from '../../src/shared/report/data.ts';

/** Data and code of a report are written into one file together: only their version can disagree. */
function isReportData(value: unknown): value is ReportData {
  return typeof value === 'object' && value !== null && 'version' in value && value.version === reportVersion;
}

/** @throws Error when the page holds no data, or data of another version */
export function readReportData(): ReportData {
  const text = document.getElementById('report-data')?.textContent ?? '';
  const value: unknown = JSON.parse(text);
  if (!isReportData(value)) throw new Error(`this page's data are not of report version ${reportVersion}`);
  return value;
}

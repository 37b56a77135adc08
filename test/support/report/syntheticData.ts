import { defaultLimits, gatherRun, reportData, type Limits } from '../../../src/features/report/node/buildData.ts';
import type { ReportData } from '../../../src/shared/report/data.ts';
import { syntheticSource } from './syntheticSource.ts';

/** The report of a synthetic run. */
export async function syntheticData(
  options: Parameters<typeof syntheticSource>[1],
  limits: Limits = defaultLimits,
): Promise<ReportData> {
  return reportData(await gatherRun(syntheticSource('/nowhere', options)), 0, limits);
}

import type { EventOf } from '../../shared/journal/events.ts';
import { style } from '../text/style.ts';
import { onOneLine, styled, type Printable } from '../text/styled.ts';
import { table, type Column } from '../text/table.ts';
import { significant } from '../../shared/text/figures/numbers.ts';

/** An update that a trainer made as a job. */
export interface ShownJob {
  epoch: number;
  job: NonNullable<EventOf<'agent.updated' | 'environment.updated'>['job']>;
  /** The version that it made: `agent@3`. */
  version: string;
  steps: number;
  /** Attempts that it judged otherwise than the scorer here; null where it judged none. */
  disagreements: number | null;
}

/** `show RUN --jobs`: a line a job, and below each the last value of each figure that it logged. */
export function jobLines(jobs: readonly ShownJob[], { width }: { width: number }): Printable[] {
  if (jobs.length === 0) return ['No policy of this run was trained by a job yet.'];
  return jobs.flatMap(({ epoch, version, steps, disagreements, job }, i) => {
    const apart = disagreements === null ? '' : `  ${disagreements} attempts judged otherwise by the job`;
    const head = styled`epoch ${epoch}  ${style.bold(version)}  ${steps} ${steps === 1 ? 'step' : 'steps'}  ${style.dim(job.id)}${apart}`;
    const metrics = Object.entries(job.metrics);
    const told = metrics.length === 0 ? [] : table(metric, metrics, width);
    return [...(i === 0 ? [] : ['']), onOneLine(head), ...told];
  });
}

const metric: readonly Column<[name: string, value: number]>[] = [
  { title: 'metric', cell: ([name]) => name, shrinks: true },
  { title: 'last', cell: ([, value]) => significant(value, 4), right: true },
];

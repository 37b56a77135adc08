import type { ReportSource } from '../../../src/features/report/node/source.ts';
import type { RunState } from '../../../src/runs/store/runHead.ts';
import { journalVersion } from '../../../src/shared/journal/events.ts';
import { syntheticEvents, type JournalOptions } from './syntheticEvents.ts';
import { syntheticCourse, type SyntheticOptions } from './syntheticRun.ts';

/** A synthetic run as a report reads one. */
export function syntheticSource(
  dir: string,
  options: SyntheticOptions & JournalOptions & { state?: RunState } = {},
): ReportSource {
  const course = syntheticCourse(options);
  const events = syntheticEvents(course, options);
  const { state = options.unfinished === true ? 'paused' : 'finished' } = options;
  return {
    dir,
    manifest: {
      v: 1,
      id: '2026-11-21-storekeeper-7',
      createdAt: new Date(Date.UTC(2026, 10, 21, 9, 30)).toISOString(),
      experiment: course.experiment,
      versions: { genenv: '0.1.0', node: '24.21.0', journal: journalVersion, records: 1, sessions: 1 },
      parent: null,
      ancestors: [],
      servers: [],
      source: null,
      imported: null,
    },
    head: () => Promise.resolve({ state }),
    async *events() {
      await Promise.resolve();
      yield* events;
    },
    task(id) {
      const epoch = Number(/^e(\d+)\./.exec(id)?.[1] ?? 0);
      return Promise.resolve(epoch === 0 ? undefined : course.epoch(epoch).tasks.find((task) => task.id === id));
    },
    tracesOf: (epoch) => Promise.resolve(course.epoch(epoch).traces),
  };
}

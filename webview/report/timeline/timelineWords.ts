/** The words of the phase timeline, for the page and the report. */
import * as l10n from '@vscode/l10n';
import type { TimelinePhase } from '../../../src/shared/report/timeline.ts';
import { duration } from '../../../src/shared/text/figures/durations.ts';
import { percent } from '../../../src/shared/text/figures/shares.ts';
import { timelineShares, type TimelineEpoch, type TimelineStretch } from '../../../src/shared/report/timelineCourse.ts';

/** Rows of the chart. */
export const mostEpochs = 8;

export const phaseNames = (): Record<TimelinePhase, string> => ({
  generate: l10n.t('write tasks'),
  attempt: l10n.t('attempt tasks'),
  score: l10n.t('score'),
  agent: l10n.t('update agent'),
  environment: l10n.t('update environment'),
  measure: l10n.t('measure the agent'),
  'agent-publish': l10n.t('publish weights'),
  'environment-publish': l10n.t('publish weights'),
});

export const isAhead = (epochs: readonly TimelineEpoch[]): boolean =>
  epochs.some(({ epoch, stretches }) => stretches.some(({ of }) => of !== epoch));

/** Who waited for whom. */
export function timelineReading(epochs: readonly TimelineEpoch[]): string {
  const [first] = epochs;
  const last = epochs.at(-1);
  const shares = timelineShares(epochs);
  if (first === undefined || last === undefined || shares === null) return l10n.t('No times were recorded.');
  const { both, sampling, updating, neither } = shares;
  const when =
    first === last ? l10n.t('In epoch {0}', first.epoch) : l10n.t('In epochs {0} to {1}', first.epoch, last.epoch);
  return l10n.t(
    '{0}, updates waited for sampling {1} of the time and sampling waited for updates {2}; both were at work {3}, neither {4}.',
    when,
    percent(sampling),
    percent(updating),
    percent(both),
    percent(neither),
  );
}

export function timelineNote(epochs: readonly TimelineEpoch[]): string {
  const paused = epochs.reduce((sum, one) => sum + one.paused, 0);
  return [
    l10n.t(
      'The lines of an epoch from the top: tasks are written, attempted, the agent is updated, the environment is updated.',
    ),
    ...(isAhead(epochs) ? [l10n.t('Dashed: done meanwhile for a later epoch.')] : []),
    publishingNote(epochs),
    ...(paused > 0 ? [l10n.t('Pauses are left out: {0}.', duration(paused / 1000))] : []),
  ].join(' ');
}

/** Publishing happens within an update. */
function publishingNote(epochs: readonly TimelineEpoch[]): string {
  const published = epochs.flatMap(({ stretches }) => stretches.filter(({ phase }) => phase.endsWith('-publish')));
  if (published.length === 0) return l10n.t('An update includes publishing its weights.');
  const time = published.reduce((sum, { from, to }) => sum + to - from, 0);
  return l10n.t('An update includes publishing its weights: {0} of these epochs.', duration(time / 1000));
}

const seconds = (milliseconds: number): string => duration(milliseconds / 1000);

export const stretchWords = (epoch: number, { phase, of, from, to }: TimelineStretch): string[] => [
  l10n.t('Epoch {0}: {1}', epoch, phaseNames()[phase]),
  l10n.t('{0}, from {1} to {2}', seconds(to - from), seconds(from), seconds(to)),
  ...(of === epoch ? [] : [l10n.t('for epoch {0}', of)]),
];

export const timelineColumns = (): string[] => [
  l10n.t('Epoch'),
  l10n.t('Phase'),
  l10n.t('For epoch'),
  l10n.t('From'),
  l10n.t('To'),
  l10n.t('Length'),
];

/** Times in seconds. */
export const timelineRows = (epochs: readonly TimelineEpoch[]): [number, string, number, number, number, number][] =>
  epochs.flatMap(({ epoch, stretches }) =>
    stretches.map(({ phase, of, from, to }): [number, string, number, number, number, number] => [
      epoch,
      phaseNames()[phase],
      of,
      from / 1000,
      to / 1000,
      (to - from) / 1000,
    ]),
  );

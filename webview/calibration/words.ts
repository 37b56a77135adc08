/** What states and phases are called. */
import type { CalibrationFacts, CalibrationProgress } from '../../src/shared/views/calibration.ts';
import { count } from '../charts/format.ts';
import { t } from '@vscode/l10n';

export function stateWord(state: CalibrationFacts['state']): string {
  const words: Record<CalibrationFacts['state'], string> = {
    running: t('running'),
    paused: t('paused'),
    finished: t('finished'),
    failed: t('failed'),
    stopped: t('stopped'),
    interrupted: t('interrupted'),
  };
  return words[state];
}

/** `Epoch 13: attempting tasks, 210 of 512`; '' when nothing is known. */
export function progressText({ phases }: CalibrationProgress): string {
  const [first] = phases;
  if (first === undefined) return '';
  const told = phases.map(({ phase, done, total }) => {
    const word = phaseWord(phase);
    return total > 0 ? t('{0}, {1} of {2}', word, count(done), count(total)) : word;
  });
  return first.epoch === 0 ? told.join(' · ') : t('Epoch {0}: {1}', first.epoch, told.join(' · '));
}

function phaseWord(phase: string): string {
  const words: Record<string, string> = {
    generate: t('writing tasks'),
    attempt: t('attempting tasks'),
    rank: t('ranking seed tasks'),
    validate: t('validating the agent'),
    'update agent': t('updating the agent'),
    'update environment': t('updating the environment'),
  };
  return words[phase] ?? phase;
}

/** What happens now, for a page that has nothing to draw yet. */
export function nowText(facts: CalibrationFacts, progress: CalibrationProgress, complete: boolean): string {
  if (!complete) return t('Reading the journal…');
  const phase = progressText(progress);
  if (phase !== '') return phase;
  switch (facts.state) {
    case 'running':
      return facts.writer === 'elsewhere'
        ? t('The run goes on in another process. Its first epoch has not been measured yet.')
        : t('The run is starting: models are loaded, then the first tasks are written.');
    case 'finished':
      return t('The run ended before an epoch was measured.');
    case 'failed':
      return t('The run failed before an epoch was measured.');
    case 'paused':
    case 'stopped':
    case 'interrupted':
      return t('No epoch was measured before the run was {0}. Resume it to go on.', stateWord(facts.state));
  }
}

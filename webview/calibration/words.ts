/** The names of states and phases. */
import type { CalibrationFacts, CalibrationProgress } from '../../src/features/calibration/contract.ts';
import { count } from '../../src/shared/text/figures/numbers.ts';
import { silenceInFull } from '../../src/shared/text/silence.ts';
import * as l10n from '@vscode/l10n';

export function stateWord(state: CalibrationFacts['state']): string {
  const words: Record<CalibrationFacts['state'], string> = {
    running: l10n.t('running'),
    paused: l10n.t('paused'),
    finished: l10n.t('finished'),
    failed: l10n.t('failed'),
    stopped: l10n.t('stopped'),
    interrupted: l10n.t('interrupted'),
  };
  return words[state];
}

/** `No answer from gpu1:8000 for 48 s: … · Epoch 13: attempting tasks, 210 of 512`; '' when nothing is known. */
export const progressText = (progress: CalibrationProgress): string =>
  [...progress.silences.map((silence) => l10n.t('No answer from {0}', silenceInFull(silence))), phasesText(progress)]
    .filter((text) => text !== '')
    .join(' · ');

function phasesText({ phases }: CalibrationProgress): string {
  const [first] = phases;
  if (first === undefined) return '';
  const told = phases.map(({ phase, done, total, job }) => {
    const word = phaseWord(phase);
    if (job === 'queued') return l10n.t('{0}, its job is queued', word);
    if (job === 'running')
      return total > 0
        ? l10n.t('{0}, its job at step {1} of {2}', word, count(done), count(total))
        : l10n.t('{0}, its job at step {1}', word, count(done));
    return total > 0 ? l10n.t('{0}, {1} of {2}', word, count(done), count(total)) : word;
  });
  return first.epoch === 0 ? told.join(' · ') : l10n.t('Epoch {0}: {1}', first.epoch, told.join(' · '));
}

function phaseWord(phase: string): string {
  const words: Record<string, string> = {
    generate: l10n.t('writing tasks'),
    attempt: l10n.t('attempting tasks'),
    'agent job': l10n.t('attempting tasks and updating the agent'),
    rank: l10n.t('ranking seed tasks'),
    validate: l10n.t('validating the agent'),
    evaluate: l10n.t('evaluating the agent on the benchmark'),
    'update agent': l10n.t('updating the agent'),
    'update environment': l10n.t('updating the environment'),
  };
  return words[phase] ?? phase;
}

/** The current activity, for a page with nothing to draw yet. */
export function nowText(facts: CalibrationFacts, progress: CalibrationProgress, complete: boolean): string {
  if (!complete) return l10n.t('Reading the journal…');
  const phase = progressText(progress);
  if (phase !== '') return phase;
  switch (facts.state) {
    case 'running':
      return facts.writer === 'elsewhere'
        ? l10n.t('The run is running in another process. Its first epoch has not been measured yet.')
        : l10n.t('The run is starting: models are loaded, then the first tasks are written.');
    case 'finished':
      return l10n.t('The run ended before an epoch was measured.');
    case 'failed':
      return l10n.t('The run failed before an epoch was measured.');
    case 'paused':
    case 'stopped':
    case 'interrupted':
      return l10n.t('No epoch was measured before the run was {0}. Resume it to continue.', stateWord(facts.state));
  }
}

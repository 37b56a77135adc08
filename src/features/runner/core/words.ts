/** Why an entry waits, in a sentence; for terminals and logs. */
import * as l10n from '@vscode/l10n';
import type { Wait } from '../contract.ts';
import { embedded } from '../../../shared/experiment/endpoints/origins.ts';
import { inWords } from '../../../shared/journal/recordedWords.ts';

const listed = (names: readonly string[]): string => names.map((name) => `“${name}”`).join(', ');

/** @param now milliseconds */
export function waitText(wait: Wait, now: number): string {
  switch (wait.kind) {
    case 'turn':
      return l10n.t('starts next');
    case 'held':
      return l10n.t('waits: the queue is paused');
    case 'room':
      return l10n.t('waits: the limit of running runs is reached');
    case 'after':
      return l10n.t('waits for {0} to finish', listed(wait.runs));
    case 'lost':
      return l10n.t('waits for {0}, which did not finish: queue that again, or remove this one', listed(wait.runs));
    case 'endpoint':
      return wait.address === embedded
        ? l10n.t('waits for this machine, which runs {0}', listed(wait.runs))
        : l10n.t('waits for {0}, which {1} asks', wait.address, listed(wait.runs));
    case 'delay': {
      const when =
        wait.until === null ? '' : l10n.t(', tried again in {0} s', Math.max(0, Math.ceil((wait.until - now) / 1000)));
      return l10n.t('waits{0}: {1}', when, inWords(wait.why));
    }
  }
}

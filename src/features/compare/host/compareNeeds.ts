/** Needs of a page that compares runs, and its kind. */
import type { Clock } from '../../../engine/ports.ts';
import type { Failures } from '../../../host/feedback/failures.ts';
import type { ComparePanelNeeds } from './comparePanel.ts';

export const viewType = 'genenv.compare';

export interface CompareNeeds extends Omit<ComparePanelNeeds, 'extensionUri' | 'choose'> {
  failures: Failures;
  clock: Clock;
}

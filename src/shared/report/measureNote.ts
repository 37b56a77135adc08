import * as l10n from '@vscode/l10n';
import type { MeasureChange } from '../journal/measures.ts';

/** Why figures of earlier epochs are left out of a comparison: a sentence. */
export const measureNote = ({ epoch, fields }: MeasureChange): string =>
  l10n.t('{0} changed with epoch {1}: what was measured before is not compared.', fields.join(', '), epoch);

/** Marks of a text that its field does not show: listed beside it, as the text itself must not change. */
import * as l10n from '@vscode/l10n';
import { hiddenMarks, withMarksShown } from '../../../src/shared/text/hiddenMarks.ts';
import type { TaskRemark } from '../../../src/features/tasks/contract.ts';
import { count } from '../../../src/shared/text/figures/numbers.ts';

/** Places that are shown, and letters on either side of each. */
const most = 5;
const around = 10;

export function hiddenRemarks(field: string, text: string): TaskRemark[] {
  const marks = hiddenMarks(text);
  if (marks.length === 0) return [];
  const places: string[] = [];
  let [end, told] = [0, 0];
  for (const { offset, length } of marks) {
    // Already covered by the excerpt before.
    const isNew = offset + length > end;
    if (isNew && places.length === most) break;
    told += 1;
    if (!isNew) continue;
    end = offset + length + around;
    const near = text.slice(Math.max(0, offset - around), end);
    places.push(`“${withMarksShown(near).replaceAll(/\s+/g, ' ')}”`);
  }
  const more = marks.length > told ? [l10n.t('and {0} more', count(marks.length - told))] : [];
  const message = l10n.t('It has invisible characters: {0}.', [...places, ...more].join(', '));
  return [{ field, severity: 'warning', message, remedy: '' }];
}

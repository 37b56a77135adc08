import type { Unofficial } from '../../../shared/records/evaluation.ts';
import { count, plural } from '../../../shared/text/figures/numbers.ts';

/** Why an evaluation has no official totals: a sentence with the remedy. */
export function unofficialText(why: Unofficial): string {
  switch (why.kind) {
    case 'unfinished':
      return `No official total: ${count(why.answered)} of ${count(why.asked)} attempts are there; carry it on.`;
    case 'sample': {
      const of = why.of === null ? '' : ` of ${count(why.of)}`;
      return `No official total: ${plural(why.tasks, 'task')}${of}, a sample; evaluate without --sample.`;
    }
    case 'files':
      return (
        `No official total, the data is not whole: split ${why.split}: no file matches ${why.patterns.join(', ')}; ` +
        'name the splits that are there with --split.'
      );
    case 'records':
      return (
        `No official total, the data is not whole: split ${why.split} has ${plural(why.fit, 'task')}, ` +
        `and its authors say ${count(why.expected)}; see genenv check-adapter.`
      );
    case 'problems':
      return (
        `No official total, ${plural(why.count, 'problem')} of the data, the first: ${why.example} ` +
        'See genenv check-adapter.'
      );
    case 'size':
      return `No official total: the adapter does not say how many records split ${why.split} has (data.splits).`;
    case 'splits':
      return `No official total: its authors give one split at a time, and these are ${count(why.splits)}; give --split.`;
    case 'untold':
      return 'No official total: an older version did not keep how whole the data was; evaluate again.';
  }
}

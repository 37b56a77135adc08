/** Time, tokens and cost of what has not started, at the pace of an earlier run. */
import * as l10n from '@vscode/l10n';
import type { Forecast } from '../../../src/shared/money/forecast.ts';
import { aboutDuration } from '../../../src/shared/text/figures/durations.ts';
import { approximate, fixed } from '../../../src/shared/text/figures/numbers.ts';

export function expected({ run, seconds, tokens, cost }: Forecast): string[] {
  const sampling = cost === null || cost.sampling === 0 ? null : fixed(cost.sampling, 2);
  return [
    l10n.t('about {0} tokens', approximate(tokens)),
    seconds.epoch === null
      ? l10n.t('about {0} one after another, at the pace of “{1}”', aboutDuration(seconds.run), run)
      : l10n.t(
          'about {0} at the pace of “{1}”, {2} an epoch',
          aboutDuration(seconds.run),
          run,
          aboutDuration(seconds.epoch),
        ),
    ...(cost === null || cost.hours === 0 ? [] : [l10n.t('servers cost about {0}', fixed(cost.hours, 2))]),
    ...(sampling === null ? [] : [l10n.t('sampling costs at most {0}, training comes on top', sampling)]),
  ];
}

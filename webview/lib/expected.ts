/** Time, tokens and cost of what has not started, at the pace of an earlier run. */
import * as l10n from '@vscode/l10n';
import type { Forecast } from '../../src/shared/money/forecast.ts';
import { approximate } from '../charts/format.ts';

export function expected({ run, seconds, tokens, cost }: Forecast): string[] {
  const sampling = cost === null || cost.sampling === 0 ? null : cost.sampling.toFixed(2);
  return [
    l10n.t('about {0} tokens', approximate(tokens)),
    seconds.epoch === null
      ? l10n.t('about {0} one after another, at the pace of “{1}”', about(seconds.run), run)
      : l10n.t('about {0} at the pace of “{1}”, {2} an epoch', about(seconds.run), run, about(seconds.epoch)),
    ...(cost === null || cost.hours === 0 ? [] : [l10n.t('servers cost about {0}', cost.hours.toFixed(2))]),
    ...(sampling === null ? [] : [l10n.t('sampling costs at most {0}, training comes on top', sampling)]),
  ];
}

/** `40 s`, `12 min`, `3 h 5 min`: an estimate has no more digits. */
function about(seconds: number): string {
  if (seconds < 90) return l10n.t('{0} s', Math.max(1, Math.round(seconds)));
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? l10n.t('{0} min', minutes) : l10n.t('{0} h {1} min', Math.floor(minutes / 60), minutes % 60);
}

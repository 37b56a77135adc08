/** Servers that answer nothing, in words. */
import * as l10n from '@vscode/l10n';
import { duration } from './figures/durations.ts';

/** A server that answers nothing now. */
export interface Silence {
  url: string;
  /** Since the first request that failed after the last answer. */
  seconds: number;
  /** The failure of the last request: `connection refused`. */
  what: string;
}

/** `no answer from gpu1:8000`, for a row; null where every server answers. */
export function silenceText(silences: readonly Silence[]): string | null {
  const [first] = silences;
  if (first === undefined) return null;
  return silences.length === 1
    ? l10n.t('no answer from {0}', hostOf(first))
    : l10n.t('no answer from {0} servers', silences.length);
}

/** `gpu1:8000 for 48 s: connection refused`. */
export const silenceInFull = (silence: Silence): string =>
  l10n.t('{0} for {1}: {2}', hostOf(silence), duration(silence.seconds), silence.what);

const hostOf = ({ url }: Silence): string => new URL(url).host;

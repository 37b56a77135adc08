/** How far sampler and trainer were apart, in words, for the page and the report. */
import * as l10n from '@vscode/l10n';
import type { EpochRow } from '../../../src/shared/report/data.ts';
import { nats, number } from '../../../src/shared/text/figures/numbers.ts';

/** Nats per token. Below it training is stable by Tinker's documentation; above it numerics or weights differ. */
export const mostMismatch = 0.01;

export const mismatchOf = ({ agent: { mismatch } }: EpochRow): number | null => mismatch?.v2 ?? null;

export function mismatchReading(rows: readonly EpochRow[]): string {
  const measured = rows.flatMap((row) => {
    const value = mismatchOf(row);
    return value === null ? [] : [{ epoch: row.epoch, value }];
  });
  const last = measured.at(-1);
  if (last === undefined) return l10n.t('Not measured.');
  const above = measured.filter(({ value }) => value > mostMismatch);
  const now = l10n.t('{0} nats per token in epoch {1}.', nats(last.value), last.epoch);
  if (above.length === 0)
    return `${now} ${l10n.t('Never above {0}: sampler and trainer agree.', number(mostMismatch))}`;
  return `${now} ${l10n.t(
    'Above {0} in {1} of {2} epochs: too large.',
    number(mostMismatch),
    above.length,
    measured.length,
  )}`;
}

/** When it is too large, and what to do. */
export const mismatchNote = (): string =>
  l10n.t(
    'On the tokens of an update’s first minibatch, before it learns. Above {0} the sampler’s numerics or weights are not the trainer’s: update both to one version, or sample in higher precision. With rollouts.staleness or several rounds the older weights of the sampler are part of it.',
    number(mostMismatch),
  );

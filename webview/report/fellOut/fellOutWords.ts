/** Groups that fell out of epochs with spare ones, in words, for the page and the report. */
import * as l10n from '@vscode/l10n';
import { fastFrom } from '../../../src/shared/journal/fastFrom.ts';
import type { EpochRow, FellOut } from '../../../src/shared/report/data.ts';
import { sum } from '../../../src/shared/sum.ts';
import { count, plural, rate } from '../../../src/shared/text/figures/numbers.ts';
import { percent } from '../../../src/shared/text/figures/shares.ts';

/** How many fell out, what they cost, and how far what counts leans to fast answers. */
export function fellOutReading(rows: readonly EpochRow[]): string {
  const out = rows.flatMap(({ fellOut }) => fellOut ?? []);
  const all = sum(out.map((one) => one.groups));
  const cost = sum(out.map((one) => one.tokens)) / Math.max(1, sum(rows.map((row) => row.tokens.attempt ?? 0)));
  const told =
    `${count(all)} of ${plural(sum(out.map(({ of }) => of)), 'group')} fell out, for ${percent(cost)} of the tokens ` +
    'of all attempts.';
  return `${told} ${leaning(out)}`;
}

function leaning(out: readonly FellOut[]): string {
  const known = out.flatMap(({ groups: own, of, expected }) => (expected ? [{ own, of, ...expected }] : []));
  const fast =
    sum(known.map(({ own, of, counted }) => (of - own) * counted)) / sum(known.map(({ own, of }) => of - own));
  const slow = sum(known.map(({ own, dropped }) => own * dropped)) / sum(known.map(({ own }) => own));
  const times = slow / fast;
  if (!Number.isFinite(times)) return 'How long their answers would have been is not known: p̂ may lean to fast tasks.';
  const lengths = `${rate(times)} times as long as in those that count`;
  return times >= fastFrom
    ? `Their answers were expected to be ${lengths}: p̂ and what is learned lean to tasks that are answered fast.`
    : `Their answers were expected to be ${lengths}: p̂ leans little to tasks that are answered fast.`;
}

export const fellOutNote = (): string =>
  l10n.t(
    'Groups that were not among the first complete ones. p̂, rewards and updates leave them out; budgets count them.',
  );

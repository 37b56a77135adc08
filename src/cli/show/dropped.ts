/** `show RUN`: what fell out of epochs with spare groups. */
import { madeIn } from '../../shared/journal/dropped.ts';
import type { EventOf } from '../../shared/journal/events.ts';
import { plural } from '../../shared/text/figures/numbers.ts';
import { percentToTenth } from '../../shared/text/figures/shares.ts';

/** Nothing of a run without any. */
export function droppedLines(rounds: readonly EventOf<'rollouts.finished'>[]): string[] {
  const some = rounds.flatMap((round) => (round.dropped === undefined ? [] : [{ ...round, dropped: round.dropped }]));
  const last = some.at(-1)?.dropped;
  if (last === undefined) return [];
  const sum = (of: (round: (typeof some)[number]) => number): number => some.reduce((all, round) => all + of(round), 0);
  const out = sum(({ dropped }) => dropped.groups.length);
  const tokens = sum((round) => madeIn(round).tokens ?? 0);
  const cost = tokens === 0 ? null : sum(({ dropped }) => dropped.tokens + dropped.likely) / tokens;
  const lengths =
    last.expected === undefined
      ? ''
      : `; last expected ${last.expected.dropped} tokens an answer, ${last.expected.counted} in those that count`;
  return [
    `fell out   ${plural(out, 'group')} of ${out + sum(({ tasks }) => tasks)}, ${percentToTenth(cost)} of the tokens of attempts${lengths}: short answers are favoured`,
  ];
}

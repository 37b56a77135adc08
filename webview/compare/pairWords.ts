/** The result of a paired comparison, in plain sentences. Pure. */
import type { Pair } from '../../src/features/compare/contract.ts';
import { count } from '../../src/shared/text/figures/numbers.ts';
import { percentToTenth, points } from '../../src/shared/text/figures/shares.ts';
import * as l10n from '@vscode/l10n';

type Comparable = Extract<Pair, { comparable: true }>;

export interface Side {
  letter: string;
  epoch: number;
}

const sideText = ({ letter, epoch }: Side): string =>
  epoch === 0 ? l10n.t('{0} at its start', letter) : l10n.t('{0} after epoch {1}', letter, epoch);
/** `better`, `worse` or undecided: whether the interval of the difference contains 0. */
export function verdictOf({ low, high }: Comparable['paired']): 'better' | 'worse' | 'unclear' {
  if (low > 0) return 'better';
  return high < 0 ? 'worse' : 'unclear';
}

/** The headline: the better one, and whether that is more than chance. */
export function pairHeadline({ paired }: Comparable, first: Side, second: Side): string {
  const difference = l10n.t('{0} points', points(paired.difference));
  switch (verdictOf(paired)) {
    case 'better':
      return l10n.t('{0} solves more than {1}: {2}.', sideText(second), sideText(first), difference);
    case 'worse':
      return l10n.t('{0} solves less than {1}: {2}.', sideText(second), sideText(first), difference);
    case 'unclear':
      return l10n.t(
        'The difference between {0} and {1} may be chance: {2}.',
        sideText(second),
        sideText(first),
        difference,
      );
  }
}

/** The numbers behind it. */
export function pairNumbers({ paired }: Comparable, first: Side, second: Side): string {
  const { tasks, single, before, after, gained, lost, low, high } = paired;
  const [was, is] = [percentToTenth(before / tasks), percentToTenth(after / tasks)];
  const solved = single
    ? l10n.t(
        'Of {0} shared tasks {1} solved {2} ({3}), {4} solved {5} ({6}).',
        ...[count(tasks), sideText(first), count(before), was, sideText(second), count(after), is],
      )
    : l10n.t(
        'At {0} shared tasks {1} solved {2} of its attempts, {3} solved {4}.',
        ...[count(tasks), sideText(first), was, sideText(second), is],
      );
  const interval = l10n.t('95 % interval of the paired difference: {0} to {1} points.', points(low), points(high));
  const changed = single
    ? l10n.t('{0} gained, {1} lost.', count(gained), count(lost))
    : l10n.t('{0} solved more often, {1} less often.', count(gained), count(lost));
  return `${solved} ${interval} ${changed}`;
}

/** Caveats for the reader; '' for none. */
export function pairCaveats({ of, paired, measured }: Comparable, first: Side, second: Side): string {
  const [own, other] = of;
  const sets =
    own === paired.tasks && other === paired.tasks
      ? ''
      : l10n.t(
          'The held-out sets differ: {0} was validated on {1} tasks, {2} on {3}; only the {4} that both share are compared.',
          first.letter,
          count(own),
          second.letter,
          count(other),
          count(paired.tasks),
        );
  const how =
    measured.length === 0
      ? ''
      : l10n.t(
          'They were measured differently: {0} differs and may explain part of the difference.',
          measured.join(', '),
        );
  return [sets, how].filter((text) => text !== '').join(' ');
}

/** The rows of the table: what is told of every attempt, then its turns. */
import * as l10n from '@vscode/l10n';
import { largest } from '../../src/shared/extremes.ts';
import { withMarksShown } from '../../src/shared/text/hiddenMarks.ts';
import type { ShownAttempt } from '../../src/features/attempts/contract.ts';
import { count, measure, number, rate } from '../charts/format.ts';
import { element } from '../lib/element.ts';
import { wordDiff } from '../lib/components/wordDiff.ts';

export interface Row {
  /** Stays the same when attempts come. */
  key: string;
  title: string;
  /** What a cell holds. @param reference the attempt that the others are compared with */
  fill: (attempt: ShownAttempt, reference: ShownAttempt) => (Node | string)[];
}

const none = '—';

export const verdictWord = (verdict: ShownAttempt['verdict']): string =>
  ({
    solved: l10n.t('solved'),
    unsolved: l10n.t('not solved'),
    unjudged: l10n.t('checker failed'),
  })[verdict];

export function rowsOf(attempts: readonly ShownAttempt[]): Row[] {
  const turns = Math.max(0, largest(attempts.map((attempt) => attempt.turns.length)));
  const told = (key: string, title: string, say: (attempt: ShownAttempt) => string | null): Row => ({
    ...{ key, title },
    fill: (attempt) => [say(attempt) ?? none],
  });
  const any = (has: (attempt: ShownAttempt) => boolean, row: Row): Row[] => (attempts.some(has) ? [row] : []);
  return [
    { key: 'reward', title: l10n.t('Reward'), fill: rewardCell },
    ...any(
      ({ rescored }) => rescored !== null,
      told('rescored', l10n.t('Rescored'), ({ rescored }) => (rescored === null ? null : rescoredText(rescored))),
    ),
    ...any(
      ({ advantage }) => advantage !== null,
      told('advantage', l10n.t('Advantage'), ({ advantage }) =>
        advantage === null ? null : `${advantage < 0 ? '−' : '+'}${rate(Math.abs(advantage))}`,
      ),
    ),
    told('tokens', l10n.t('Tokens'), ({ tokens }) => count(tokens)),
    ...any(
      ({ surprise }) => surprise !== null,
      told('surprise', l10n.t('Mean surprise, nats'), ({ surprise }) => (surprise === null ? null : measure(surprise))),
    ),
    told('ended', l10n.t('Ended'), ({ stopReason }) => endWord(stopReason)),
    ...any(
      ({ note }) => note !== null,
      told('note', l10n.t('Note'), ({ note }) => note),
    ),
    ...Array.from({ length: turns }, (_, turn): Row => ({
      key: `turn ${turn}`,
      title: l10n.t('Turn {0}', turn + 1),
      fill: (attempt, reference) => turnCell(attempt, reference, turn),
    })),
  ];
}

const endWord = (stopReason: ShownAttempt['stopReason']): string =>
  ({
    stop: l10n.t('by itself'),
    length: l10n.t('cut at the token limit'),
    turns: l10n.t('out of turns'),
  })[stopReason];

function rescoredText({ verdict, reward, by }: NonNullable<ShownAttempt['rescored']>): string {
  // A reward function that failed gave none.
  return verdict === 'unjudged'
    ? l10n.t('{0}, by {1}', verdictWord(verdict), by)
    : l10n.t('{0}, reward {1}, by {2}', verdictWord(verdict), rate(reward), by);
}

function rewardCell({ reward, parts }: ShownAttempt): Node[] {
  const fill = element('span', { class: 'bar-fill' });
  fill.style.width = `${100 * Math.min(1, Math.max(0, reward))}%`;
  const named = Object.entries(parts).map(([name, value]) => `${name} ${number(value)}`);
  return [
    element('span', { class: 'bar', 'aria-hidden': 'true' }, fill),
    element('span', { class: 'reward' }, rate(reward)),
    ...(named.length === 0 ? [] : [element('span', { class: 'quiet parts' }, named.join(' · '))]),
  ];
}

/** What was said, with the words marked that the reference did not say in the same turn. */
function turnCell(attempt: ShownAttempt, reference: ShownAttempt, turn: number): (Node | string)[] {
  const said = attempt.turns[turn];
  if (said === undefined) return [none];
  const head = said.final ? l10n.t('{0} · final action', said.speaker) : said.speaker;
  const against = reference.turns[turn];
  const same = against?.text === said.text;
  const compared =
    attempt.id === reference.id
      ? null
      : same
        ? l10n.t('as in {0}', reference.name)
        : l10n.t('differs from {0}', reference.name);
  return [
    element('span', { class: 'speaker' }, head),
    ...(compared === null ? [] : [element('span', { class: same ? 'compared quiet' : 'compared' }, compared)]),
    attempt.id === reference.id || same
      ? element('span', { class: 'said' }, withMarksShown(said.text))
      : differing(withMarksShown(against?.text ?? ''), withMarksShown(said.text)),
  ];
}

function differing(against: string, text: string): Node {
  const node = element('span', { class: 'said' });
  for (const { kind, text: words } of wordDiff(against, text)) {
    if (node.childNodes.length > 0) node.append(' ');
    if (kind === 'same') node.append(words);
    else node.append(element(kind === 'missing' ? 'del' : 'ins', {}, words));
  }
  return node;
}

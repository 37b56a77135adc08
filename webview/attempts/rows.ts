/** The rows of the table: facts of every attempt, then its turns. */
import * as l10n from '@vscode/l10n';
import { largest } from '../../src/shared/extremes.ts';
import { withMarksShown } from '../../src/shared/text/hiddenMarks.ts';
import type { ShownAttempt } from '../../src/features/attempts/contract.ts';
import { count, measure, number, rate } from '../../src/shared/text/figures/numbers.ts';
import { element } from '../lib/element.ts';
import { wordDiff } from '../../src/shared/text/wordDiff.ts';

export interface Row {
  /** Stays the same when attempts come. */
  key: string;
  title: string;
  /** The content of a cell. @param reference the attempt for comparison */
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
  const most = (of: (attempt: ShownAttempt) => number): number => Math.max(0, largest(attempts.map(of)));
  const turns = most((attempt) => attempt.turns.length);
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
      ({ advantage, without }) => advantage !== null || without !== null,
      told('advantage', l10n.t('Advantage'), ({ advantage, without }) =>
        advantage === null ? without : `${advantage < 0 ? '−' : '+'}${rate(Math.abs(advantage))}`,
      ),
    ),
    told('tokens', l10n.t('Tokens'), ({ tokens }) => (tokens === null ? l10n.t('not known') : count(tokens))),
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
      fill: (attempt, reference) => turnCell([attempt, reference], turn, (one) => one.turns),
    })),
    ...Array.from({ length: most((attempt) => attempt.branches.length) }, (_, at) => branchRows(attempts, at)).flat(),
  ];
}

/** Turns are numbered on this page as its rows are: in each branch anew. */
function followsWords({ turns, branches }: ShownAttempt, at: number): string {
  const follows = branches[at]?.follows ?? null;
  if (follows === null) return l10n.t('begins anew');
  let left = follows - turns.length;
  if (left < 0) return l10n.t('after turn {0}', follows + 1);
  const of = branches.findIndex((branch) => {
    const inside = left < branch.turns.length;
    if (!inside) left -= branch.turns.length;
    return inside;
  });
  return l10n.t('after branch {0}, turn {1}', of + 1, left + 1);
}

/** A branch: where it leaves the earlier conversation, then its turns. */
function branchRows(attempts: readonly ShownAttempt[], at: number): Row[] {
  const turnsOf = (attempt: ShownAttempt): ShownAttempt['turns'] => attempt.branches[at]?.turns ?? [];
  const length = Math.max(0, largest(attempts.map((attempt) => turnsOf(attempt).length)));
  return [
    {
      key: `branch ${at}`,
      title: l10n.t('Branch {0}', at + 1),
      fill: (attempt) => [attempt.branches[at] === undefined ? none : followsWords(attempt, at)],
    },
    ...Array.from({ length }, (_, turn): Row => ({
      key: `turn ${turn} of branch ${at}`,
      title: l10n.t('Branch {0}, turn {1}', at + 1, turn + 1),
      fill: (attempt, reference) => turnCell([attempt, reference], turn, turnsOf),
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

/** A message, with the words marked that the reference's same turn lacks. */
function turnCell(
  [attempt, reference]: readonly [ShownAttempt, ShownAttempt],
  turn: number,
  turnsOf: (attempt: ShownAttempt) => ShownAttempt['turns'],
): (Node | string)[] {
  const said = turnsOf(attempt)[turn];
  if (said === undefined) return [none];
  const head = said.final ? l10n.t('{0} · final action', said.speaker) : said.speaker;
  const against = turnsOf(reference)[turn];
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

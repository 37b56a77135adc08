/** An attempt as turns. */
import * as vscode from 'vscode';
import { allSaid, branchTurns, type BranchTurns } from '../../../shared/records/conversations.ts';
import type { Message } from '../../../shared/records/message.ts';
import type { ToolSpec } from '../../../shared/records/task.ts';
import type { Trace } from '../../../shared/records/trace.ts';
import { count } from '../../../shared/text/figures/numbers.ts';
import { writeSection } from './layout.ts';
import type { InLine, Line } from './line.ts';
import { limitOf, type Limit } from './longText.ts';
import { speaker, startOf } from './messages.ts';
import type { Page } from './page.ts';
import { sampledByTurn, surprisingWords, type SampledTurn } from './surprise.ts';
import { toolCalls } from './toolCalls.ts';
import { writeText } from './writtenText.ts';

/** Turns by number, the agent's last message as its final action; then the additions of each branch, a section each. */
export function writeTurns(
  page: Page,
  trace: Trace,
  tools: readonly ToolSpec[],
  differing: readonly InLine[] = [],
): void {
  const { messages } = trace;
  const how: Writing = {
    tools,
    sampled: sampledByTurn(trace),
    final: messages.findLastIndex(({ role }) => role === 'assistant'),
    limit: limitOf(allSaid(trace).length),
    differing,
  };
  writeSection(page, vscode.l10n.t('Attempt'), () => writeSaid(page, messages, 0, how));
  for (const [at, branch] of branchTurns(trace).entries()) {
    const title = vscode.l10n.t('Branch {0}', count(at + 1));
    const where = followsWords(branch);
    writeSection(page, title, () => {
      page.write(where, '');
      writeSaid(page, branch.messages, branch.first, how);
    });
  }
}

/** The agent's last message; empty without one. */
export const finalAnswer = ({ messages }: Pick<Trace, 'messages'>): string =>
  messages.findLast(({ role }) => role === 'assistant')?.content ?? '';

/** The agent's last message by itself, above the attempt that led to it. */
export function writeAnswer(
  page: Page,
  trace: Trace,
  tools: readonly ToolSpec[],
  differing: readonly InLine[] = [],
): void {
  const text = finalAnswer(trace);
  if (text === '') return;
  const marks = (shown: string): Line['marks'] => [...toolCalls(shown, tools), ...within(differing, shown)];
  // Whole in its turn below.
  writeSection(page, vscode.l10n.t('Answer'), () => writeText(page, { text, place: null, marks, limit: answerLimit }));
}

const answerLimit: Limit = { characters: 4000, lines: 40 };

const within = (marks: readonly InLine[], { length }: string): InLine[] => marks.filter(({ end }) => end <= length);

/** The context for writing all conversations of an attempt. */
interface Writing {
  tools: readonly ToolSpec[];
  sampled: ReadonlyMap<number, SampledTurn>;
  /** Turn of the agent's last message. */
  final: number;
  limit: Limit;
  /** Words of the final message that the gold lacks. */
  differing: readonly InLine[];
}

/** Where a branch leaves the earlier conversation. */
const followsWords = ({ follows }: Pick<BranchTurns, 'follows'>): string =>
  follows === null
    ? vscode.l10n.t('Another conversation, from its first message on.')
    : vscode.l10n.t('Up to turn {0} as before, then:', count(follows + 1));

/** @param first number of the first turn */
function writeSaid(
  page: Page,
  messages: readonly Message[],
  first: number,
  { tools, sampled, final, limit, differing }: Writing,
): void {
  for (const [i, message] of messages.entries()) {
    const turn = first + i;
    if (i > 0) page.write('');
    const own = sampled.get(turn);
    const isFinal = turn === final;
    const number = vscode.l10n.t('turn {0}', count(turn + 1));
    const words = [speaker(message), number, ...(isFinal ? [vscode.l10n.t('final action')] : [])].join(' · ');
    const part = { kind: isFinal ? 'final' : 'turn', title: words, detail: startOf(message.content) } as const;
    page.part(part, () => {
      page.write(headed(words, { turn, final: isFinal, own }));
      writeReasoning(page, message, turn, limit);
      const marks = (shown: string): Line['marks'] => [
        ...marksIn(shown, message, tools, own),
        ...(isFinal ? within(differing, shown) : []),
      ];
      writeText(page, { text: message.content, place: { of: 'turn', at: turn }, marks, limit });
    });
  }
}

function headed(text: string, { turn, final, own }: { turn: number; final: boolean; own: SampledTurn | undefined }) {
  const means = { kind: 'turn', turn, final, tokens: own?.tokens ?? 0, surprise: own?.surprise ?? null } as const;
  return { text, marks: [{ start: 0, end: text.length, means }] };
}

function writeReasoning(page: Page, { reasoning }: Message, turn: number, limit: Limit): void {
  if (reasoning === undefined || reasoning === '') return;
  const title = vscode.l10n.t('reasoning');
  page.part({ kind: 'reasoning', title, detail: startOf(reasoning) }, () => {
    page.write(`  (${title})`);
    writeText(page, { text: reasoning, place: { of: 'reasoning', at: turn }, limit, indent: '    ' });
  });
}

/** Calls and least expected words in the shown part of a message. */
function marksIn(
  shown: string,
  message: Message,
  tools: readonly ToolSpec[],
  own: SampledTurn | undefined,
): Line['marks'] {
  if (message.role !== 'assistant') return [];
  // Words and tokens are matched by their count, so the whole list is needed.
  const whole = shown.length === message.content.length;
  const surprising = own?.surprise == null || !whole ? [] : surprisingWords(shown, own.surprise);
  const words = surprising.map(({ start, end, nats }): InLine => ({ start, end, means: { kind: 'surprising', nats } }));
  return [...toolCalls(shown, tools), ...words];
}

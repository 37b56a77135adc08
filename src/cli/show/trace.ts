import { knownAnswerTokens } from '../../engine/phases/attempts/traceTokens.ts';
import { branchTurns } from '../../shared/records/conversations.ts';
import type { Message } from '../../shared/records/message.ts';
import type { Task } from '../../shared/records/task.ts';
import type { Trace } from '../../shared/records/trace.ts';
import { wrap } from '../text/displayWidth.ts';
import { plural, rate } from '../../shared/text/figures/numbers.ts';
import { style } from '../text/style.ts';
import { onOneLine, styled, type Printable } from '../text/styled.ts';
import { complexityText } from './tasks.ts';

/** `show RUN --trace ID`: one attempt as a conversation, with its task and its judgement. */
export function traceLines(trace: Trace, task: Task | null, { width }: { width: number }): Printable[] {
  const { verdict } = trace;
  const tokens = knownAnswerTokens(trace);
  const judged =
    verdict.error !== undefined
      ? style.warn('the checker failed')
      : verdict.success
        ? style.good('solved')
        : style.bad('not solved');
  const facts = [
    `reward ${rate(verdict.reward)}`,
    trace.version,
    ...(tokens === null ? [] : [plural(tokens, 'token')]),
    `ended by ${trace.stopReason}`,
    ...(verdict.valid ? [] : ['not valid']),
  ];
  const origin =
    task === null ? [] : [[task.id, task.plan, complexityText(task)].filter((part) => part !== '').join('  ')];
  return [
    styled`${style.bold(onOneLine(trace.id))}  ${judged}  ${onOneLine(facts.join('  '))}`,
    ...origin.map((line) => style.dim(onOneLine(line))),
    ...(trace.asked ?? task?.prompt ?? []).flatMap((message) => messageLines(message, width)),
    ...trace.messages.flatMap((message) => messageLines(message, width)),
    ...branchTurns(trace).flatMap(({ follows, messages }, i) => [
      '',
      style.accent(`branch ${i + 1}, ${follows === null ? 'from its first message on' : `after turn ${follows + 1}`}`),
      ...messages.flatMap((message) => messageLines(message, width)),
    ]),
    ...(task?.gold == null ? [] : block('gold', task.gold, width)),
    ...[verdict.note, verdict.error].flatMap((note) => (note === undefined ? [] : block('verdict', note, width))),
    ...parts(trace),
    ...(verdict.output === undefined ? [] : block('printed by the reward', verdict.output.trimEnd(), width)),
  ];
}

const messageLines = ({ role, name, content }: Message, width: number): Printable[] =>
  block(name === undefined ? role : `${role} ${name}`, content, width);

function block(title: string, text: string, width: number): Printable[] {
  return ['', style.accent(onOneLine(title)), ...wrap(text, Math.max(20, width), '  ')];
}

function parts({ verdict }: Trace): string[] {
  const entries = Object.entries(verdict.parts ?? {});
  return entries.length === 0 ? [] : [`  ${entries.map(([name, value]) => `${name} ${rate(value)}`).join('  ')}`];
}

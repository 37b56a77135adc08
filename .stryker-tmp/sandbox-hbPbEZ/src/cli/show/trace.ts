import type { Message } from '../../shared/records/message.ts';
import type { Task } from '../../shared/records/task.ts';
import type { Trace } from '../../shared/records/trace.ts';
import { harmless, wrap } from '../text/displayWidth.ts';
import { plural, rate } from '../text/numbers.ts';
import type { Style } from '../text/style.ts';
import { complexityText } from './tasks.ts';

/** `show RUN --trace ID`: one attempt as a conversation, with what was asked for and how it was judged. */
export function traceLines(
  trace: Trace,
  task: Task | null,
  { width, style }: { width: number; style: Style },
): string[] {
  const { verdict } = trace;
  const tokens = trace.sequences.reduce((sum, { logprobs }) => sum + logprobs.length, 0);
  const judged =
    verdict.error !== undefined
      ? style.warn('the checker failed')
      : verdict.success
        ? style.good('solved')
        : style.bad('not solved');
  const facts = [
    `reward ${rate(verdict.reward)}`,
    trace.version,
    // Attempts at validation keep no tokens: nothing is trained on them.
    ...(tokens === 0 ? [] : [plural(tokens, 'token')]),
    `ended by ${trace.stopReason}`,
    ...(verdict.valid ? [] : ['not valid']),
  ];
  const origin =
    task === null ? [] : [[task.id, task.plan, complexityText(task)].filter((part) => part !== '').join('  ')];
  return [
    `${style.bold(trace.id)}  ${judged}  ${facts.join('  ')}`,
    ...origin.map((line) => style.dim(line)),
    ...(task?.prompt ?? []).flatMap((message) => messageLines(message, width, style)),
    ...trace.messages.flatMap((message) => messageLines(message, width, style)),
    ...(task?.gold == null ? [] : block('gold', task.gold, width, style)),
    ...[verdict.note, verdict.error].flatMap((note) =>
      note === undefined ? [] : block('verdict', note, width, style),
    ),
    ...parts(trace),
    ...(verdict.output === undefined ? [] : block('printed by the reward', verdict.output.trimEnd(), width, style)),
  ];
}

const messageLines = ({ role, name, content }: Message, width: number, style: Style): string[] =>
  block(name === undefined ? role : `${role} ${name}`, content, width, style);

function block(title: string, text: string, width: number, style: Style): string[] {
  return ['', style.accent(title), ...wrap(harmless(text), Math.max(20, width), '  ')];
}

function parts({ verdict }: Trace): string[] {
  const entries = Object.entries(verdict.parts ?? {});
  return entries.length === 0 ? [] : [`  ${entries.map(([name, value]) => `${name} ${rate(value)}`).join('  ')}`];
}

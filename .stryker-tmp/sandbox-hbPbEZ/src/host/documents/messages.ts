/** Messages and tools of a task, each under its name. */
import type { Message } from '../../shared/records/message.ts';
import type { ToolSpec } from '../../shared/records/task.ts';
import { setIn } from './line.ts';
import type { Page } from './page.ts';

/** Who says it; for a tool's answer, which tool. */
export const speaker = ({ role, name }: Message): string => (name === undefined ? role : `${role} ${name}`);

/** The start of a text on one line, for an outline. */
export function startOf(text: string, length = 80): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > length ? `${line.slice(0, length - 1)}…` : line;
}

/** The conversation that a task poses, or that the environment policy was asked in. */
export function writeMessages(page: Page, messages: readonly Message[]): void {
  for (const [at, message] of messages.entries()) {
    if (at > 0) page.write('');
    page.part({ kind: 'message', title: speaker(message), detail: startOf(message.content) }, () => {
      page.write(speaker(message), ...setIn(message.content));
    });
  }
}

/** Tools that may be called, each with its schema. */
export function writeTools(page: Page, tools: readonly ToolSpec[]): void {
  for (const [at, { name, description, parameters }] of tools.entries()) {
    if (at > 0) page.write('');
    page.part({ kind: 'tool', title: name, detail: startOf(description) }, () => {
      page.write(name, ...setIn(description), ...setIn(JSON.stringify(parameters)));
    });
  }
}

/** What was answered, on one line. */
export function answerOf(messages: readonly Message[]): string {
  const answers = messages.filter(({ role }) => role === 'assistant').map(({ content: said }) => said);
  return answers.join(' ⏎ ').replaceAll(/\s+/g, ' ').trim();
}

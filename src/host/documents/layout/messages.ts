/** Messages in a few words. */
import type { Message } from '../../../shared/records/message.ts';

/** The speaker; for a tool's answer, the tool. */
export const speaker = ({ role, name }: Message): string => (name === undefined ? role : `${role} ${name}`);

/** The start of a text on one line, for an outline. */
export function startOf(text: string, length = 80): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > length ? `${line.slice(0, length - 1)}…` : line;
}

/** The answer, on one line. */
export function answerOf(messages: readonly Message[]): string {
  const answers = messages.filter(({ role }) => role === 'assistant').map(({ content: said }) => said);
  return answers.join(' ⏎ ').replaceAll(/\s+/g, ' ').trim();
}

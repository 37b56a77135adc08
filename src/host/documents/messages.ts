import type { Message } from '../../shared/records/message.ts';
import { setIn } from './layout.ts';

/** A conversation, each turn under who speaks. */
export function conversation(messages: readonly Message[]): string[] {
  return messages.flatMap(({ role, name, content }, at) => [
    ...(at === 0 ? [] : ['']),
    name === undefined ? role : `${role} ${name}`,
    ...setIn(content),
  ]);
}

/** What was answered, on one line. */
export function answerOf(messages: readonly Message[]): string {
  const answers = messages.filter(({ role }) => role === 'assistant').map(({ content }) => content);
  return answers.join(' ⏎ ').replaceAll(/\s+/g, ' ').trim();
}

/** Messages and tools of a task, each under its name. */
import type { Message } from '../../../shared/records/message.ts';
import type { ToolSpec } from '../../../shared/records/task.ts';
import { setIn } from './line.ts';
import { limitOf } from './longText.ts';
import { speaker, startOf } from './messages.ts';
import type { Page } from './page.ts';
import { writeText } from './writtenText.ts';

/**
 * The conversation that a task poses, or that the environment policy was asked in.
 * @param of what a message that is too long is opened as; null where it cannot be
 */
export function writeMessages(page: Page, messages: readonly Message[], of: 'message' | null): void {
  const limit = limitOf(messages.length);
  for (const [at, message] of messages.entries()) {
    if (at > 0) page.write('');
    page.part({ kind: 'message', title: speaker(message), detail: startOf(message.content) }, () => {
      page.write(speaker(message));
      writeText(page, { text: message.content, place: of === null ? null : { of, at }, limit });
    });
  }
}

/** Tools that may be called, each with its schema. */
export function writeTools(page: Page, tools: readonly ToolSpec[]): void {
  for (const [at, { name, description, parameters }] of tools.entries()) {
    if (at > 0) page.write('');
    page.part({ kind: 'tool', title: name, detail: startOf(description) }, () => {
      page.write(name, setIn(description), setIn(JSON.stringify(parameters)));
    });
  }
}

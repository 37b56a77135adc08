/** Messages and tools of a task, each under its name. */
import type { Message } from '../../../shared/records/message.ts';
import type { ToolSpec } from '../../../shared/records/task.ts';
import { setIn } from './line.ts';
import { limitOf } from './longText.ts';
import { speaker, startOf } from './messages.ts';
import type { Page } from './page.ts';
import { writeText } from './writtenText.ts';

/**
 * The conversation of a task, or of the environment policy's request.
 * @param of the document that opens a too long message; null where there is none
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

/** Requests to stop: a runner obeys those that came while it worked, or whose runner died before it took them. */
import type { Mailbox } from '../../../runs/mailbox.ts';
import type { RunnerRequest } from '../contract.ts';
import { QueueReading } from './runnerFiles.ts';

/** @returns ids @throws RunError `unreadable` */
export async function stopsIn(inbox: Mailbox<RunnerRequest>): Promise<string[]> {
  return (await inbox.waiting()).flatMap(({ id, request }) => (request.type === 'stop' ? [id] : []));
}

/**
 * Removes requests to a runner that was ending by itself as they came: the next one would end at once, and its runs would
 * wait while no runner works.
 * @param root the folder of the runs @param stops found before the lease was taken
 * @throws RunError `format`, `version`, `unreadable`, `unwritable`
 */
export async function dropLate(root: string, inbox: Mailbox<RunnerRequest>, stops: readonly string[]): Promise<void> {
  if (stops.length === 0 || !(await new QueueReading(root).now()).closed) return;
  for (const id of stops) await inbox.remove(id);
}

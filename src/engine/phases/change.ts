/** Changed settings of a running run: which of them take effect now. */
import type { EventOf } from '../../shared/journal/events.ts';
import {
  takesHold,
  valueAt,
  whyFixed,
  withChanges,
  type FieldChange,
  type TakesHold,
} from '../../shared/experiment/changeable.ts';
import type { Experiment } from '../../shared/experiment/schema.ts';
import type { Loop } from '../loop.ts';
import type { ChangeRequest } from '../ports.ts';

type Change = Pick<EventOf<'settings.changed'>, 'changes' | 'author'>;

/** Applies the changes due at this point of an epoch, one event a request; calls `settle` once an event is durable. */
export async function* changesNow(
  loop: Loop,
  moment: TakesHold,
): AsyncGenerator<{ event: Change; experiment: Experiment; settle: () => Promise<void> }> {
  const { changes, log } = loop.ports;
  if (changes === undefined) return;
  for (const request of await changes.waiting()) {
    const due = request.changes.filter(({ field }) => isDue(loop, field, moment));
    if (due.length === 0) continue;
    const settle = () =>
      changes.taken(
        request.id,
        due.map(({ field }) => field),
      );
    const outcome = apply(loop.set, due);
    if (outcome === null) log.warn(`A change was left out, because its values do not fit: ${words(request)}`);
    if (outcome === null || outcome.changes.length === 0) await settle();
    else yield { event: { changes: outcome.changes, author: request.author }, experiment: outcome.experiment, settle };
  }
}

/**
 * At the start of an epoch everything is due; before scoring, only settings that scoring and the updates read. A job
 * that attempted the batch has already updated the agent.
 */
function isDue({ agent }: Loop, field: string, moment: TakesHold): boolean {
  const when = takesHold(field);
  if (moment === 'scoring' && field.startsWith('agent.') && agent.policy.capabilities.mode === 'batch') return false;
  return when === null || moment === 'epoch' || when === 'scoring';
}

/** Null when the values do not fit: they were checked on request, but the file may have another writer. */
function apply(before: Experiment, due: readonly FieldChange[]) {
  if (due.some(({ field }) => takesHold(field) === null || whyFixed(before, field) !== null)) return null;
  const experiment = withChanges(before, due);
  if (experiment === null) return null;
  const changes = due
    .map(({ field }) => ({ field, from: valueAt(before, field), to: valueAt(experiment, field) }))
    .filter(({ from, to }) => JSON.stringify(from) !== JSON.stringify(to));
  return { experiment, changes };
}

const words = ({ changes }: ChangeRequest): string =>
  changes.map(({ field, to }) => `${field}=${JSON.stringify(to)}`).join(', ');

/** The turns that a forked attempt keeps. */
import * as l10n from '@vscode/l10n';
import type { GivenTurns } from '../../../engine/phases/attempts/replay.ts';
import type { Domain } from '../../../engine/ports.ts';
import type { Message } from '../../../shared/records/message.ts';
import type { Task } from '../../../shared/records/task.ts';
import type { Trace } from '../../../shared/records/trace.ts';
import { defined } from '../../../shared/defined.ts';
import { ReattemptError } from '../../../launch/policies/reattemptError.ts';

export interface ForkAsk {
  /** The attempt to fork. */
  trace: Trace;
  /** Number of its message, from 0. The agent's own is sampled anew; after any other the agent continues. */
  turn: number;
  /** Stands in place of that message, and the agent continues after it; null for none. */
  text: string | null;
}

/** @throws ReattemptError `not-forkable` where the attempts cannot begin so */
export function forkAt({ trace, turn, text }: ForkAsk, domain: Domain, task: Task, version: string): GivenTurns {
  const { messages, branches = [] } = trace;
  if ((domain.leaderOf?.(task) ?? null) !== null || branches.length > 0)
    throw refused(
      l10n.t('A program leads the attempts at this task: it begins at its first question.'),
      l10n.t('Re-attempt the task.'),
    );
  const message = messages[turn];
  if (message === undefined) {
    const remedy = messages.length === 0 ? '' : l10n.t('Choose one from 1 to {0}.', messages.length);
    throw refused(l10n.t('{0} has no turn {1}.', trace.id, turn + 1), remedy);
  }
  const own = message.role === 'assistant';
  if (own && text !== null && domain.environment(task) === null)
    throw refused(
      l10n.t('The agent has one turn at this task: nothing is left to sample after it.'),
      l10n.t('Fork without an edit.'),
    );
  const kept = messages.slice(0, own && text === null ? turn : turn + 1);
  // Ids belong to the policy that sampled them, and an edited text has none.
  const alike = policyOf(version) === policyOf(trace.version);
  return {
    messages: kept.map((one, i) => (i === turn && text !== null ? edited(one, text) : alike ? one : withoutIds(one))),
    edited: own || text === null ? null : turn,
  };
}

const policyOf = (version: string): string => version.split('@')[0] ?? '';

const withoutIds = ({ role, content, name, reasoning }: Message): Message => ({
  ...{ role, content },
  ...defined({ name, reasoning }),
});

/** The reasoning led to the text before. */
const edited = ({ role, name }: Message, content: string): Message => ({ role, content, ...defined({ name }) });

function refused(message: string, remedy: string): ReattemptError {
  return new ReattemptError('not-forkable', message, remedy);
}

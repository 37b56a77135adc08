/** Plays turns that are given to a new episode, so that the agent continues from them. */
import * as l10n from '@vscode/l10n';
import { append } from '../../../shared/append.ts';
import type { Message } from '../../../shared/records/message.ts';
import { ReplayError } from '../../errors.ts';
import { asked, type Episode, type Read } from './episode.ts';

/** The turns that an attempt begins with, instead of sampling them. */
export interface GivenTurns {
  /** As a trace holds them: the agent's turns and, between them, what the environment answered. */
  messages: readonly Message[];
  /** The environment's message that stands in place of its own answer, by its number in `messages`; null for none. */
  edited: number | null;
}

/** The environment's messages from number `at` on, with the edited one in its place. */
export function withEdit<R extends Read>(read: R, at: number, { messages, edited }: GivenTurns): R {
  const replaced = edited === null ? undefined : messages[edited];
  if (edited === null || replaced === undefined || replaced.role === 'assistant') return read;
  return { ...read, messages: read.messages.map((message, i) => (at + i === edited ? replaced : message)) };
}

/**
 * The environment acts on every given turn of the agent: its answers are its own, but for the edited one.
 * @param maxTurns turns of the agent in one attempt
 * @throws ReplayError where the episode ends before the agent has a turn; EpisodeError of the environment
 */
export async function replay(episode: Episode, given: GivenTurns, maxTurns: number): Promise<void> {
  const turns = given.messages.filter(({ role }) => role === 'assistant');
  for (const [i, said] of turns.entries()) {
    const { environment } = episode;
    if (environment === null) throw new ReplayError(i, l10n.t('its answer ends the attempt'));
    episode.messages.push(said);
    episode.turns += 1;
    const observation = await environment.step(said.content, said.reasoning);
    const read = withEdit(observation, episode.messages.length, given);
    append(episode.messages, read.messages);
    append(episode.steps, read.steps ?? []);
    episode.tools = read.tools ?? episode.tools;
    episode.asked = asked(read.alone === true ? episode.prompt : [...episode.asked, said], read);
    if (observation.done) throw new ReplayError(i, l10n.t('the environment ends the attempt there'));
    if (episode.turns >= maxTurns)
      throw new ReplayError(i, l10n.t('an attempt has at most {0} (rollouts.maxTurns)', maxTurns));
  }
}

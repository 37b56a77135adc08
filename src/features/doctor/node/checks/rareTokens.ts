/**
 * Whether a server draws rare tokens as often as its own log-probabilities say. A min_p or top_p that is applied after the
 * temperature cuts nothing from the flat distribution that `wholeDistribution` looks at.
 */
import * as l10n from '@vscode/l10n';
import type { Answer } from '../../../../endpoints/openai/server.ts';
import { Server } from '../../../../endpoints/openai/server.ts';
import { EndpointError, type EndpointErrorReason } from '../../../../endpoints/endpointError.ts';
import { no, unknown, yes, type DoctorLine } from '../../../../endpoints/doctorLine.ts';
import { falseAlarms, listed, RareTokens, type Place, type Tried } from '../../core/rareTokens.ts';
import type { ChatSubject } from './chatSubject.ts';
import { figure } from './subject.ts';

/** One round tells as a rule: 8 requests of 64 tokens. */
const atOnce = 8;
const rounds = 4;
const maxTokens = 64;
/** Prose has places with much to choose from, and places with little. */
const messages = [{ role: 'user' as const, content: 'Tell the beginning of an unusual story.' }];

/** Servers that know no such field fail at it as often as they are asked. */
const tries = 2;

const unableTo = new Set<EndpointErrorReason>(['refused', 'failed', 'malformed', 'unable']);

const remedy = (): string =>
  l10n.t(
    'Defaults of the server or of the model’s files leave out what is improbable, so that attempts resemble each other. Start it without min_p and top_p.',
  );
const unseen = (): string =>
  l10n.t('A min_p or top_p that it applies after the temperature is not seen: look at how it was started.');

export async function rareTokens({ facts, connection, signal }: ChatSubject): Promise<DoctorLine> {
  const title = l10n.t('Rare tokens');
  const server = new Server([connection], facts.server.model, facts.server.dialect, tries);
  const found = new RareTokens();
  const known = new Set<string>();
  for (let round = 0; round < rounds && !found.whole && !found.cut; round++) {
    const asked = Array.from({ length: atOnce }, (_, i) => 1001 + round * atOnce + i);
    let answers: Answer[];
    try {
      const each = asked.map(async (seed) =>
        server.chat(0, { messages, n: 1, seed, maxTokens, temperature: 1, likeliest: listed }, false, signal),
      );
      answers = (await Promise.all(each)).flat();
    } catch (error) {
      if (!EndpointError.is(error) || !unableTo.has(error.reason)) throw error;
      return unknown(
        title,
        l10n.t('Asked for log-probabilities of the likeliest tokens, it refuses or fails.'),
        unseen(),
      );
    }
    for (const { text, logprobs, likeliest = [] } of answers) {
      // One that comes again, from a server that passes over seeds, says nothing new.
      const id = `${logprobs.join()} ${text}`;
      if (!known.has(id)) for (const place of placesOf(logprobs, likeliest)) found.add(place);
      known.add(id);
    }
    if (found.places === 0) break;
  }
  return lineOf(found);
}

const placesOf = (logprobs: readonly number[], likeliest: readonly (readonly number[])[]): Place[] =>
  logprobs.map((logprob, i) => ({ logprob, likeliest: likeliest[i] ?? [] }));

function lineOf(found: RareTokens): DoctorLine {
  const title = l10n.t('Rare tokens');
  const { places, barred, clearest } = found;
  if (places === 0) return unknown(title, l10n.t('It lists no log-probabilities of the likeliest tokens.'), unseen());
  const drawn = l10n.t(
    'Of {0} tokens at temperature 1, the rarest had 1/{1} of the likeliest one’s probability.',
    places,
    figure(1 / found.least),
  );
  if (barred > 0) {
    return no(
      title,
      l10n.t('{0} At {1} places it says that some of the {2} likeliest cannot be drawn.', drawn, barred, listed),
      remedy(),
    );
  }
  if (clearest === null) {
    return yes(title, drawn, l10n.t('No min_p of 0.01 or more and no top_p of 0.98 or less cuts the distribution.'));
  }
  const missing = `${drawn} ${missingWords(clearest)}`;
  return found.cut
    ? no(title, l10n.t('{0} That is chance in fewer than 1 of {1} cases.', missing, 1 / falseAlarms), remedy())
    : unknown(
        title,
        missing,
        l10n.t('The model is too sure of its answers to tell. Look at how the server was started.'),
      );
}

const missingWords = ({ kind, at, expected }: Tried): string =>
  kind === 'min_p'
    ? l10n.t(
        'By its own log-probabilities {0} should have had less than 1/{1} of it; none was drawn.',
        figure(expected),
        Math.round(1 / at),
      )
    : l10n.t(
        'By its own log-probabilities {0} should have lain beyond the likeliest {1} %; none was drawn.',
        figure(expected),
        figure(100 * at),
      );

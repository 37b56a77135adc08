/**
 * Whether a server samples from the whole distribution, or defaults of its own or of the model's files cut it: by rank, or
 * before the temperature flattens it. `rareTokens` looks for cuts after that.
 */
import * as l10n from '@vscode/l10n';
import { EndpointError } from '../../../../endpoints/endpointError.ts';
import { no, unknown, yes, type DoctorLine } from '../../../../endpoints/doctorLine.ts';
import type { Answer } from '../../../../endpoints/openai/server.ts';
import type { ChatSubject } from './chatSubject.ts';

/** At which every token is about as likely as any other. */
const hot = 50;
const wanted = 48;
const atOnce = 8;
/** Share of different ones: of 48 drawn from 128 tokens about 40 differ, of the likeliest 50 about 31. */
const enough = 0.75;

export async function wholeDistribution(subject: ChatSubject): Promise<DoctorLine> {
  const title = l10n.t('Sampling parameters');
  const { server } = subject.facts;
  const { whole, fixed } = server.dialect;
  const fields = Object.entries({ temperature: l10n.t('the run’s'), ...whole }).map(
    ([name, value]) => `${name} ${value}`,
  );
  const sent = l10n.t(
    'Each request says {0}.',
    [fields.join(', '), ...(fixed === undefined ? [] : [fixed()])].join('; '),
  );
  const firsts = await firstTokens(subject);
  if (firsts === null) {
    const meaning = l10n.t('Whether it heeds them is not known: it is not asked at such a temperature.');
    return unknown(title, sent, fixed === undefined ? meaning : l10n.t('Look at them before answers are compared.'));
  }
  const distinct = new Set(firsts).size;
  const evidence = l10n.t(
    '{0} At temperature {1}, {2} answers began with {3} different tokens.',
    sent,
    hot,
    firsts.length,
    distinct,
  );
  if (firsts.length < wanted * enough) {
    return unknown(title, evidence, l10n.t('Too many of its tokens have no text of their own to tell them apart.'));
  }
  return distinct >= enough * firsts.length
    ? yes(
        title,
        evidence,
        l10n.t('No top_k, and no min_p or top_p before the temperature, leaves out all but the likeliest tokens.'),
      )
    : no(
        title,
        evidence,
        l10n.t(
          'Defaults of the server or of the model’s files leave out others, so that attempts resemble each other. Start it without them.',
        ),
      );
}

/** Those that can be told apart; null where it refuses the temperature, or takes money for it. */
async function firstTokens({ facts, prompt, signal }: ChatSubject): Promise<(string | number)[] | null> {
  if (facts.kind === 'hosted') return null;
  const once = async (seed: number): Promise<Answer[]> =>
    facts.server.chat(0, { messages: prompt, n: 1, seed, maxTokens: 1, temperature: hot }, facts.ids, signal);
  const found: (string | number)[] = [];
  try {
    for (let seed = 0; found.length < wanted && seed < 2 * wanted; seed += atOnce) {
      const answers = await Promise.all(Array.from({ length: atOnce }, (_, i) => once(seed + i)));
      for (const { tokens, text, reasoning } of answers.flat()) {
        const first = tokens[0] ?? [reasoning ?? '', text].join('');
        if (typeof first === 'number' || !/^\uFFFD*$/.test(first)) found.push(first);
      }
    }
  } catch (error) {
    if (EndpointError.is(error, 'refused')) return null;
    throw error;
  }
  return found;
}

/** A file of an address, as the hub and servers give them: redirected, and asked for again where it came spoilt. */
import * as l10n from '@vscode/l10n';
import { bodyText } from '../http/bodyText.ts';
import { BrokenExchange } from '../http/exchange.ts';
import { MalformedAnswer, type HttpAnswer } from '../http/httpClient.ts';
import { NodeHttpClient, type HttpClientOptions } from '../http/nodeHttpClient.ts';
import { mostBytes, tooLarge, type Fetch } from './tokenizerFiles.ts';
import { TokensError } from './tokensError.ts';
import { messageOf } from '../../shared/messageOf.ts';

const redirects = [301, 302, 303, 307, 308];
const mostHops = 10;
/** A hub that does not answer must not hold up a run for long. */
const usual = { tries: 5, timeout: { answer: 60_000, whole: 900_000 } };

export type Patience = Pick<HttpClientOptions, 'time' | 'tries'>;

/** Null when there is none. @throws TokensError when it cannot be read */
export const textFetcher =
  (patience: Patience = {}): Fetch =>
  async (address, wrong) => {
    const check = (answer: HttpAnswer): void => {
      const what = answer.status === 200 ? wrong(bodyText(answer)) : null;
      if (what !== null) throw new MalformedAnswer(what);
    };
    try {
      let at = address;
      for (let hop = 0; hop <= mostHops; hop++) {
        const answer = await get(at, check, patience);
        const { status, headers } = answer;
        const next = headers['location'];
        if (status === 404) return null;
        if (!redirects.includes(status) || next === undefined) return bodyText(answer);
        at = new URL(next, at).href;
      }
      throw new Error(l10n.t('it is redirected more than {0} times', mostHops));
    } catch (error) {
      if (error instanceof Error && error.cause instanceof BrokenExchange && error.cause.kind === 'size') {
        throw tooLarge(address);
      }
      const why = messageOf(error);
      throw new TokensError('missing', l10n.t('{0} cannot be read: {1}.', address, why.replace(/\.$/, '')), {
        remedy: l10n.t(
          'Put tokenizer.json, tokenizer_config.json and chat_template.jinja into a folder and name it as "tokenizer".',
        ),
        cause: error,
      });
    }
  };

async function get(address: string, check: (answer: HttpAnswer) => void, patience: Patience): Promise<HttpAnswer> {
  const http = new NodeHttpClient({ url: address, largestAnswer: mostBytes, ...usual, ...patience });
  try {
    const headers = { accept: '*/*' };
    return await http.send({ method: 'GET', path: '', headers, accept: [404, ...redirects], check });
  } finally {
    http.close();
  }
}

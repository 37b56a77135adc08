import { utf8Text } from '../../shared/text/utf8.ts';
import { MalformedAnswer, type HttpAnswer } from './httpClient.ts';

/** The text of an answer. In another encoding a model's words would become replacement characters. @throws MalformedAnswer */
export const bodyText = ({ body }: Pick<HttpAnswer, 'body'>): string =>
  utf8Text(body, ({ message }) => new MalformedAnswer(message));

/** Tools that look something up, and those that would have to go out for it. */
import { strip, word } from '../../python/text.ts';
import { allEqual, inForm, lowered, outcomeEqual, outputEqual, raised, stripped } from './judges.ts';
import { ToolFault, Wrong } from './faults.ts';
import { dayInYear, tidyDate } from './times.ts';
import { rowOf } from './tables.ts';
import { maybe, text, type Given, type Tool } from './tool.ts';

const underscoresApart = (keyword: string): string => strip(keyword.replaceAll('_', ' ')).toLowerCase();

/** It needs a network or a language model, so that no call of it can be executed here. */
const elsewhere = (parameters: Tool['parameters']): Tool => ({
  parameters,
  call() {
    throw new Wrong('it needs a network or a model');
  },
  judge: outcomeEqual,
});

export const lookupTools = {
  GetToday: {
    parameters: {},
    call: () => '2023-03-31',
    judge: () => true,
  },
  DocumentQA: {
    parameters: { url: text, question: text },
    call(given, { QuestionAnswering }) {
      if (strip(given.text('question')) === '') throw new ToolFault('The question is empty.');
      if (rowOf(QuestionAnswering, strip(given.text('url'))) === undefined) {
        throw new ToolFault('The document of this url failed to be processed.');
      }
      // Its table has a list where it looks for a question's name, so that it never finds one.
      return 'The question is too difficult to answer.';
    },
    judge: inForm({ url: stripped, question: stripped }),
  },
  ImageCaption: {
    parameters: { url: text },
    call(given, { ImageCaptioning }) {
      const url = strip(given.text('url'));
      if (!/\.(?:jpg|jpeg|png)$/.test(url)) throw new ToolFault('The url should end with .jpg, .jpeg or .png.');
      if (ImageCaptioning === null) return unknownCaption;
      const found = ImageCaptioning.find((one) => one.url === url);
      if (found === undefined) throw new ToolFault('The image of this url failed to be processed.');
      return found.caption;
    },
    judge: (response, truth) =>
      // Without the table the truth's own row stands for it: the url says which caption it is.
      allEqual(response.output === unknownCaption ? { ...response, output: truth['output'] } : response, truth),
  },
  SpeechRecognition: {
    parameters: { url: text },
    call(given, { SpeechRecognition }) {
      const url = strip(given.text('url'));
      if (!url.endsWith('.wav')) throw new ToolFault('The url should end with .wav.');
      const transcript = rowOf(SpeechRecognition, url);
      if (transcript === undefined) throw new ToolFault('The audio of this url failed to be processed.');
      return transcript;
    },
    judge: allEqual,
  },
  PlayMusic: {
    parameters: { music_name: text },
    call(given) {
      const name = strip(given.text('music_name').toLowerCase());
      if (name === '') throw new ToolFault('The music name cannot be empty.');
      return `music://${name}`;
    },
    judge: outputEqual,
  },
  QueryHistoryToday: {
    parameters: { date: text },
    call(given, { History }) {
      const found = rowOf(History, dayInYear(given.text('date')));
      if (found === undefined) throw new ToolFault('The date is not in the database.');
      return found.map(({ Title, Date, Description }) => {
        return `Title: ${strip(Title)}, Date: ${strip(Date)}, Description: ${strip(Description)}`;
      });
    },
    judge: inForm({ date: dayInYear }),
  },
  QueryStock: {
    parameters: { stock_code: text, date: text },
    call(given, { Stock }) {
      const code = strip(given.text('stock_code').toUpperCase());
      if (code === '') throw new ToolFault('The stock code cannot be empty.');
      const date = tidyDate(given.text('date'));
      const prices = rowOf(Stock, code);
      if (prices === undefined) throw new ToolFault('The stock code does not exist.');
      const price = rowOf(prices, date);
      if (price === undefined) throw new ToolFault('The stock price of this date is not maintained.');
      return price;
    },
    judge: inForm({ stock_code: raised, date: tidyDate }),
  },
  SendEmail: {
    parameters: { receiver: text, subject: text, content: text },
    call: sendEmail,
    judge: inForm({ receiver: lowered, subject: stripped, content: stripped }),
  },
  Wiki: {
    parameters: { keyword: text },
    call(given, { Wiki }) {
      const found = rowOf(Wiki, underscoresApart(given.text('keyword')));
      if (found === undefined) throw new ToolFault('Keyword not found.');
      return { url: found.url, summary: found.summary };
    },
    judge: outcomeEqual,
  },
  Dictionary: elsewhere({ keyword: text }),
  SearchEngine: elsewhere({ keyword: text }),
  ToolSearcher: elsewhere({ keywords: text }),
  Translate: elsewhere({ src: text, src_lang: maybe(text), tgt_lang: maybe(text) }),
} satisfies Record<string, Tool>;

const unknownCaption = Symbol('caption');

const beforeAt = /^(?:[a-z0-9]+[._][a-z0-9]+|[a-z0-9]{2,})$/;
const afterAt = new RegExp(`^[${word}]+\\.[${word}]{2,3}$`, 'u');

function sendEmail(given: Given): string {
  const [user = '', host = '', ...more] = strip(given.text('receiver')).split('@');
  if (more.length > 0 || !beforeAt.test(user) || !afterAt.test(host)) {
    throw new ToolFault('Email address of the receiver is invalid.');
  }
  if (strip(given.text('subject')) === '') throw new ToolFault('Subject cannot be empty.');
  if (strip(given.text('content')) === '') throw new ToolFault('Content cannot be empty.');
  return 'success';
}

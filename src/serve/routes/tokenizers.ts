/** The models' tokenizers as files, for clients that make tokens themselves. */
import { tokenizerFiles } from '../../endpoints/embedded/tokenizerFiles.ts';
import type { Call } from '../http/call.ts';
import { Refusal } from '../http/refusal.ts';
import { text } from '../http/reply.ts';
import type { Route } from '../http/router.ts';
import type { BaseModel } from '../models/baseModel.ts';
import { sha256 } from '../../endpoints/sha256.ts';
import type { Service } from '../state/service.ts';

/**
 * The download address, by the name that the client used for this server. With a hash of the content: clients cache
 * tokenizers by address, and another release may answer at this one.
 */
export const tokenizerAddress = ({ headers }: Call, base: BaseModel): string => {
  const mark = sha256(JSON.stringify(filesOf(base))).slice(0, 12);
  return `http://${headers['host'] ?? 'localhost'}/tokenizers/${base.name}@${mark}`;
};

export const filesOf = ({ vocabulary, config }: BaseModel): Readonly<Record<string, string>> =>
  tokenizerFiles(vocabulary, config.context);

export function tokenizerRoutes({ models }: Service): Route[] {
  return [
    {
      ...{ method: 'GET', path: '/tokenizers/*/*', dialect: 'tinker', open: true },
      answer: ({ parameters: [model = '', file = ''] }) => {
        const base = models.find(({ name }) => name === model.replace(/@.*$/, ''));
        const content = base && filesOf(base)[file];
        if (content === undefined) throw new Refusal(404, `There is no tokenizer file ${model}/${file}.`);
        return text(content, file.endsWith('.json') ? 'application/json' : 'text/plain; charset=utf-8');
      },
    },
  ];
}

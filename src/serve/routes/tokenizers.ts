/** The models' tokenizers as files, for clients that make tokens themselves. */
import { tokenizerFiles } from '../../backends/embedded/tokenizerFiles.ts';
import type { Call } from '../http/call.ts';
import { Refusal } from '../http/refusal.ts';
import { text } from '../http/reply.ts';
import type { Route } from '../http/router.ts';
import type { BaseModel } from '../models/baseModel.ts';
import type { Service } from '../state/service.ts';

/** Where the client finds them, by the name it has for this server. */
export const tokenizerAddress = ({ headers }: Call, { name }: BaseModel): string =>
  `http://${headers['host'] ?? 'localhost'}/tokenizers/${name}`;

export function tokenizerRoutes({ models }: Service): Route[] {
  return [
    {
      ...{ method: 'GET', path: '/tokenizers/*/*', dialect: 'tinker', open: true },
      answer: ({ parameters: [model, file = ''] }) => {
        const base = models.find(({ name }) => name === model);
        const content = base && tokenizerFiles(base.vocabulary, base.config.context)[file];
        if (content === undefined) throw new Refusal(404, `There is no tokenizer file ${model ?? ''}/${file}.`);
        return text(content, file.endsWith('.json') ? 'application/json' : 'text/plain; charset=utf-8');
      },
    },
  ];
}

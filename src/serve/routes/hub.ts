/**
 * The models' tokenizers as a Hugging Face hub serves files: with `HF_ENDPOINT` set to this server, `get_tokenizer()` of the
 * Tinker SDK and `AutoTokenizer.from_pretrained('genenv/agent')` find them by the models' names.
 */
import { Refusal } from '../http/refusal.ts';
import type { Reply } from '../http/reply.ts';
import type { Route } from '../http/router.ts';
import type { BaseModel } from '../models/baseModel.ts';
import { sha256 } from '../../endpoints/sha256.ts';
import type { Service } from '../state/service.ts';
import { filesOf } from './tokenizers.ts';

/** Its files have one revision: a client caches them by it. */
const revisionOf = (base: BaseModel): string => sha256(JSON.stringify(filesOf(base))).slice(0, 40);

/** The header tells the library which kind of absence it is: a file that a repository need not have is no error to it. */
function absent(kind: 'EntryNotFound' | 'RepoNotFound', what: string): never {
  throw new Refusal(404, `There is no ${what}.`, { headers: { 'x-error-code': kind } });
}

export function hubRoutes({ models }: Service): Route[] {
  const baseOf = (organisation: string, model: string): BaseModel =>
    models.find(({ id }) => id === `${organisation}/${model}`) ??
    absent('RepoNotFound', `repository ${organisation}/${model}`);
  const file = (organisation: string, model: string, name: string): Reply => {
    const base = baseOf(organisation, model);
    const content = filesOf(base)[name] ?? absent('EntryNotFound', `file ${name} of ${organisation}/${model}`);
    return {
      ...{ kind: 'bytes', status: 200, bytes: new TextEncoder().encode(content) },
      type: name.endsWith('.json') ? 'application/json' : 'text/plain; charset=utf-8',
      headers: { etag: `"${sha256(content)}"`, 'x-repo-commit': revisionOf(base), 'accept-ranges': 'none' },
    };
  };
  return [
    ...(['GET', 'HEAD'] as const).map((method): Route => ({
      ...{ method, path: '/*/*/resolve/*/*', dialect: 'tinker', open: true },
      answer: ({ parameters: [organisation = '', model = '', , name = ''] }) => file(organisation, model, name),
    })),
    {
      ...{ method: 'GET', path: '/api/models/*/*', dialect: 'tinker', open: true },
      answer: ({ parameters: [organisation = '', model = ''] }) => {
        const base = baseOf(organisation, model);
        const siblings = Object.keys(filesOf(base)).map((rfilename) => ({ rfilename }));
        const value = { id: base.id, modelId: base.id, sha: revisionOf(base), private: false, tags: [], siblings };
        return { kind: 'json', status: 200, value };
      },
    },
    {
      ...{ method: 'GET', path: '/api/models/*/*/tree/*/*', dialect: 'tinker', open: true },
      answer: ({ parameters: [organisation = '', model = '', , name = ''] }) => {
        baseOf(organisation, model);
        return absent('EntryNotFound', `folder ${name} of ${organisation}/${model}`);
      },
    },
  ];
}

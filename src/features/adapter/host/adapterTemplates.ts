/** Initial content of a new adapter. Texts are for `l10n.t`. */
import type { Adapter } from '../../../shared/adapters/schema.ts';
import { answerStarts, scorerStarts } from '../../../shared/adapters/starts.ts';

type Parts = Pick<Adapter, 'task' | 'answer' | 'scorer'>;

export interface AdapterTemplate {
  label: string;
  detail: string;
  parts: Parts;
}

const id = '{{ split }}.{{ file.stem }}.{{ file.index }}';

export const adapterTemplates: readonly AdapterTemplate[] = [
  {
    label: 'Questions and answers',
    detail: 'Records with a question and an answer, judged by comparing texts.',
    parts: {
      task: {
        id,
        prompt: [
          { role: 'system', content: 'Write the answer alone between <answer> and </answer>.' },
          { role: 'user', content: '/record/question' },
        ],
        gold: '/record/answer',
      },
      answer: answerStarts.between,
      scorer: { kind: 'exact', compare: 'squad' },
    },
  },
  {
    label: 'Tool calls',
    detail: 'Records with functions and the calls that are right, judged by names and arguments.',
    parts: {
      task: {
        id,
        prompt: [{ role: 'user', content: '/record/question' }],
        tools: { each: '/record/tools', name: '/name', description: '/description', parameters: '/parameters' },
        gold: '/record/answer',
      },
      answer: answerStarts['tool-calls'],
      scorer: scorerStarts['tool-calls'],
    },
  },
  {
    label: 'Empty',
    detail: 'Everything still to be said.',
    parts: {
      task: { id, prompt: [{ role: 'user', content: '{{ record | tojson }}' }], gold: null },
      answer: answerStarts.text,
      scorer: scorerStarts['json-schema'],
    },
  },
];

/** A whole adapter file, its data's folder still to be chosen. */
export function templateText({ parts }: AdapterTemplate, name: string): string {
  const adapter: Adapter = {
    version: 1,
    name,
    data: {
      folder: '',
      obtain: 'Say here where the data can be had.',
      format: 'jsonl',
      splits: { test: { files: ['*.jsonl'] } },
    },
    ...parts,
  };
  return `${JSON.stringify(adapter, null, 2)}\n`;
}

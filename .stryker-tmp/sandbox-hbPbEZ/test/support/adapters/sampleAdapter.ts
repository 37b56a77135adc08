import { adapterSchema, type Adapter } from '../../../src/shared/adapters/schema.ts';

/** A whole adapter over `q.jsonl`; parts are replaced as given. */
export function sampleAdapter(over: { [K in keyof Adapter]?: unknown } = {}): Adapter {
  return adapterSchema.parse({
    version: 1,
    name: 'sample',
    data: {
      folder: 'data',
      obtain: 'Ask its authors.',
      format: 'jsonl',
      splits: { test: { files: ['q.jsonl'] } },
    },
    task: {
      id: '{{ split }}.{{ file.index }}',
      prompt: [{ role: 'user', content: 'Q: {{ record.question }}' }],
      gold: '/record/answer',
    },
    answer: { kind: 'text' },
    scorer: { kind: 'exact', compare: 'trimmed' },
    ...over,
  });
}

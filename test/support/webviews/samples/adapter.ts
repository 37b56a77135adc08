/** A page's state as tests show it. */
import type * as contract from '../../../../src/features/adapter/contract.ts';
import { sampleAdapter } from '../../adapters/sampleAdapter.ts';

export const adapter = sampleAdapter({
  name: 'City quiz',
  description: 'Questions about cities, with one answer each.',
  data: {
    folder: '../cities',
    obtain: 'quiz.jsonl of the authors’ page.',
    format: 'jsonl',
    splits: { train: { files: ['train/*.jsonl'] }, test: { files: ['test.jsonl'], records: 40 } },
  },
  answer: { kind: 'between', open: '<answer>', close: '</answer>' },
  scorer: { kind: 'exact', compare: 'squad' },
});

export const data: contract.AdapterDataView = {
  folder: '/home/someone/cities',
  trouble: '',
  splits: [
    { name: 'train', files: 2, missing: [], records: 1200, expected: null },
    { name: 'test', files: 0, missing: ['test.jsonl'], records: 0, expected: 40 },
  ],
  joins: [],
};

export function recordAt({ index }: { index: number }): contract.RecordView | null {
  if (index > 1199) return null;
  const record = { question: `Which city has ${index + 1} bridges?`, answer: 'The Hague' };
  const fits = index !== 1;
  return {
    path: 'train/a.jsonl',
    line: index + 1,
    raw: JSON.stringify({ record: fits ? record : { question: record.question }, split: 'train' }, null, 2),
    task: fits ? JSON.stringify({ id: `train.${index}`, gold: record.answer }, null, 2) : null,
    prompt: fits ? [{ role: 'user', content: `Q: ${record.question}` }] : [],
    gold: fits ? record.answer : null,
    goldAnswer: fits ? `<answer>${record.answer}</answer>` : null,
    misfits: fits ? [] : [{ field: 'task.gold', message: 'there is nothing at /record/answer' }],
  };
}

export function judge(answer: string): contract.Judged {
  const parsed = /<answer>(.*)<\/answer>/.exec(answer)?.[1] ?? null;
  const success = parsed === 'The Hague';
  const note = parsed === null ? 'the answer has no <answer>' : success ? '' : `expected “hague”, got “${parsed}”`;
  return { parsed, success, reward: Number(success), parts: {}, note, error: null };
}

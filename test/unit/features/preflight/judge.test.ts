import assert from 'node:assert/strict';
import { ScorerTable } from '../../../../src/benchmarks/scorerTable.ts';
import { Places } from '../../../../src/features/preflight/node/findings.ts';
import { judgeGold } from '../../../../src/features/preflight/node/judge.ts';
import type { Task } from '../../../../src/shared/records/task.ts';

const taskOf = (id: string, gold: string | null, evaluation: Task['evaluation']): Task => ({
  ...{ v: 1, id, family: id, epoch: 0, origin: 'base', seed: null, plan: '', status: 'accepted', complexity: {} },
  ...{ prompt: [{ role: 'user', content: id }], evaluation, gold },
});

describe('the gold that a check judges', () => {
  it('is that of tasks with a gold: where none is, silence may be right', async () => {
    const answer = { kind: 'text' };
    const silent = taskOf('irrelevance_0', null, { kind: 'bfcl-relevance', category: 'irrelevance', answer });
    const spoken = taskOf('b', '1', { kind: 'exact', compare: 'trimmed', answer });
    const scorer = await ScorerTable.open(['bfcl-relevance', 'exact'], null);
    assert.notEqual(scorer.goldAnswer(silent), null, 'what answers it is known');
    const places = new Places(() => ({ file: 'a.genenv.json', line: 1, column: 1 }));
    const ports = { domain: { seeds: () => [silent, spoken] }, scorer };
    const { findings } = await judgeGold({ ports }, places);
    assert.deepEqual(findings, []);
  });
});

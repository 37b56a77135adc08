import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EvaluationError } from '../../../src/features/evaluation/node/evaluationError.ts';
import { beginEvaluation } from '../../../src/features/evaluation/node/evaluationFolder.ts';
import { intoPlace } from '../../../src/runs/export/intoPlace.ts';
import { refuseOwnFile } from '../../../src/runs/files/ownFiles.ts';
import { RunError } from '../../../src/runs/store/runError.ts';
import { runPaths } from '../../../src/runs/store/runPaths.ts';
import type { EvaluationSettings } from '../../../src/shared/records/evaluation.ts';

const settings: EvaluationSettings = {
  ...{ benchmark: 'Quiz', rule: 'exact', splits: ['test'], sample: null, seed: 1, attempts: 1, temperature: 0 },
  ...{ maxTokens: 1, policy: { source: 's', version: 'v' }, tasks: 1, digest: '' },
};

describe('files of a run', () => {
  let dir = '';
  const refused = (error: unknown): boolean => RunError.is(error, 'own-file');
  const at = (...names: string[]): string => join(dir, ...names);
  before(() => {
    dir = mkdtempSync(join(tmpdir(), 'genenv-own-'));
    for (const folder of ['run/checkpoints', 'evaluation', 'plain']) mkdirSync(at(folder), { recursive: true });
    for (const file of ['run/run.json', 'run/journal.jsonl', 'evaluation/manifest.json', 'evaluation/answers.jsonl'])
      writeFileSync(at(file), 'kept');
    symlinkSync(at('run'), at('link'));
    symlinkSync(at('run', 'journal.jsonl'), at('plain', 'log.jsonl'));
  });
  after(() => rmSync(dir, { recursive: true, force: true }));

  it('are written by nothing that a person asks for', () => {
    const own = [
      'run.json',
      'journal.jsonl',
      'tasks.jsonl',
      'traces.jsonl',
      'sessions.jsonl',
      'notes.jsonl',
      'lease',
      'label.json',
    ];
    const inside = [
      'checkpoints/agent-1.bin',
      'inputs/seeds.jsonl',
      'index/x',
      'endpoints/a.jsonl',
      'rescored/1/x',
      'inbox/1',
    ];
    for (const name of [...own, ...inside, 'reattempts.jsonl', 'plays.jsonl', 'attemptLabels.jsonl', 'JOURNAL.jsonl']) {
      assert.throws(() => refuseOwnFile(at('run', name)), refused, name);
      assert.throws(() => refuseOwnFile(at('link', name)), refused, `${name} through a link`);
    }
    assert.throws(() => refuseOwnFile(at('plain', 'log.jsonl')), refused);
    assert.throws(() => refuseOwnFile(at('plain', '..', 'run', '.', 'journal.jsonl')), refused);
    assert.throws(() => refuseOwnFile(at('evaluation', 'answers.jsonl')), refused);
    for (const name of [
      'run/report.html',
      'run/mine.jsonl',
      'plain/tasks.jsonl',
      'plain/manifest.json',
      'evaluation/x.csv',
    ])
      refuseOwnFile(at(name));
  });

  it('are all that have a path of their own', () => {
    const { dir: folder, report, ...others } = runPaths(at('run'));
    for (const path of Object.values(others).flatMap((own) => (typeof own === 'string' ? own : Object.values(own))))
      assert.throws(() => refuseOwnFile(path), refused, path);
    refuseOwnFile(report);
    refuseOwnFile(folder);
  });

  it('are refused before anything is written', async () => {
    const write = (): Promise<void> => Promise.reject(new Error('it wrote'));
    await assert.rejects(intoPlace(at('plain', 'log.jsonl'), write), refused);
    await assert.rejects(beginEvaluation(at('run'), settings, 0), refused);
    assert.equal(readFileSync(at('run', 'journal.jsonl'), 'utf8'), 'kept');
  });

  it('of the names that an evaluation writes are never overwritten in a folder that is none', async () => {
    for (const name of ['data.json', 'request.json', 'tasks.jsonl', 'answers.jsonl', 'end.json', 'tokens.jsonl']) {
      const folder = at(`mine-${name}`);
      mkdirSync(folder);
      writeFileSync(join(folder, name), 'kept');
      await assert.rejects(beginEvaluation(folder, settings, 0), (error: unknown) => {
        assert.ok(error instanceof EvaluationError && error.message.includes(name), String(error));
        return error.reason === 'other';
      });
      assert.deepEqual(readdirSync(folder), [name]);
    }
    mkdirSync(at('notes'));
    writeFileSync(at('notes', 'readme.md'), 'kept');
    await beginEvaluation(at('notes'), settings, 0);
    await beginEvaluation(at('new'), settings, 0);
    await beginEvaluation(at('new'), settings, 0);
    assert.throws(() => refuseOwnFile(at('evaluation', 'request.json')), refused);
  });
});

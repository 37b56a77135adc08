/** The recomputation of runs whose tasks come from files that people or other runs wrote. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Task } from '../../src/shared/records/task.ts';
import { parseTaskFile } from '../../src/shared/records/taskFile.ts';
import { recompute } from '../support/runs/recompute.ts';
import { withTempRuns } from '../support/runs/tempRuns.ts';
import { LadderDomain } from '../support/scripted/ladder.ts';
import { MemoryRun, runScripted, smallExperiment } from '../support/scripted/scriptedRun.ts';
import { skip } from '../support/skip.ts';

/** Ids of another run, two lines without an id, one that is left out, no line break at the end. */
const lines = [
  { id: 'e1.f0.v0', family: 'e1.f0', seed: 'base.3', epoch: 1, origin: 'generated', ...rung(1) },
  { id: 'e1.f0.v1', family: 'e1.f0', seed: 'base.3', epoch: 1, origin: 'generated', ...rung(2) },
  { id: 'e1.f1.v0', seed: 'base.4', status: 'rejected', ...rung(3) },
  { id: 'e1.f1.v1', seed: 'base.4', ...rung(4) },
  { seed: 'base.4', ...rung(5) },
  rung(6),
];
const text = `\uFEFF\n${lines.map((line) => JSON.stringify(line)).join('\n\n')}`;

function rung(number: number) {
  const prompt = [{ role: 'user', content: `climb ${number} ${number}` }];
  return { prompt, evaluation: { kind: 'exact' }, gold: `${number}`, complexity: { rung: number }, plan: '' };
}

function tasksOf(origin: 'base' | 'offline'): Task[] {
  const read = parseTaskFile(text, 'tasks.jsonl', origin);
  return 'tasks' in read ? read.tasks : assert.fail(JSON.stringify(read.problems));
}

class Given extends LadderDomain {
  override seeds(split: 'base' | 'validation'): readonly Task[] {
    return split === 'base' ? tasksOf('base') : super.seeds(split);
  }
}

describe('the recomputation of a run that was given tasks', function () {
  before(function () {
    if (spawnSync('python3', ['--version']).status !== 0) skip(this, 'there is no python3');
  });

  it('agrees where they are of another run, have no ids, or are left out', async () => {
    await withTempRuns(async (runs) => {
      const store = runs.store();
      const given = {
        generation: { families: 3, variations: 1 },
        rollouts: { baseShare: 0.5, order: 'longest' as const },
      };
      const all = [
        { file: 'seeds', experiment: smallExperiment(given), ports: { domain: new Given() } },
        {
          file: 'offline',
          experiment: smallExperiment({ ...given, mode: 'offline' }),
          ports: { offlineTasks: tasksOf('offline') },
        },
      ];
      for (const { file, experiment, ports } of all) {
        const writer = await store.create({ experiment: { ...experiment, name: file } });
        await runScripted(experiment, new MemoryRun(), { ports: { journal: writer, records: writer, ...ports } });
        await writer.close();
        await mkdir(join(writer.dir, 'inputs'));
        await writeFile(join(writer.dir, 'inputs', `${file}.jsonl`), text);
        const { code, said } = recompute(writer.dir);
        assert.equal(code, 0, said);
        const journal = await readFile(join(writer.dir, 'journal.jsonl'), 'utf8');
        for (const line of ['10', '12'])
          assert.match(journal, new RegExp(`"${file === 'seeds' ? 'base' : file}\\.${line}`));
      }
    });
  });
});

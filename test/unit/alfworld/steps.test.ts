import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readAdapter } from '../../../src/benchmarks/adapter/readAdapter.ts';
import { gameFileSchema, type GameFile } from '../../../src/benchmarks/alfworld/gameFile.ts';
import { stepsOf } from '../../../src/benchmarks/alfworld/steps.ts';
import { evaluationTasks } from '../../../src/launch/inputs/evaluationTasks.ts';
import { writeSeedTasks } from '../../../src/launch/adapters/seedTasks.ts';
import { loadInputs } from '../../../src/launch/inputs/inputs.ts';
import { openRules } from '../../../src/launch/scoring/openRules.ts';
import type { Adapter } from '../../../src/shared/adapters/schema.ts';
import { smallExperiment } from '../../support/scripted/scriptedRun.ts';

const potato = gameFileSchema.parse(
  JSON.parse(readFileSync(new URL('../../support/alfworld/potato.tw-pddl', import.meta.url), 'utf8')),
);
const { signal } = new AbortController();

function shipped(): Adapter {
  const file = new URL('../../../media/adapters/alfworld-steps.adapter.json', import.meta.url);
  const { adapter } = readAdapter(readFileSync(file, 'utf8'), 'alfworld-steps');
  assert.ok(adapter !== null);
  return adapter;
}

describe('ALFWorld cut into single steps', () => {
  let dir = '';
  before(async () => {
    dir = await mkdtemp(join(tmpdir(), 'genenv-steps-'));
  });
  after(() => rm(dir, { recursive: true }));

  /** A folder with one game of the split valid_seen. */
  async function folderWith(name: string, game: GameFile): Promise<string> {
    const folder = join(dir, name, 'json_2.1.1/valid_seen/pick_heat-Potato-None-SinkBasin-1/trial_a');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'game.tw-pddl'), JSON.stringify(game));
    await writeFile(join(folder, 'traj_data.json'), '{"task_type": "pick_heat_then_place_in_recep"}');
    return join(dir, name);
  }
  const tasksIn = (folder: string) =>
    evaluationTasks(shipped(), { folder, outside: true, splits: ['valid_seen'], sample: null, seed: 1, signal });

  it('asks for every command of the expert, after what was seen and done', async () => {
    const { tasks, problems } = await tasksIn(await folderWith('whole', { ...potato, solvable: true }));
    assert.deepEqual(problems, []);
    assert.deepEqual(
      tasks.map(({ gold }) => gold),
      potato.walkthrough,
    );
    const [first, second] = tasks.map(({ prompt }) => prompt.at(-1)?.content ?? '');
    assert.match(
      first ?? '',
      /^You are in the middle of a room\. [^]*Your task is to: put a hot potato[^]*\nAdmissible commands: /,
    );
    const command = potato.walkthrough?.[0] ?? '';
    assert.ok(second?.includes(`\n> ${command}\n`) === true && first?.includes(`> ${command}`) === false);
    for (const task of tasks) {
      const admissible = (task.prompt.at(-1)?.content ?? '').split('Admissible commands: ')[1]?.split(', ');
      assert.ok(admissible?.includes(task.gold ?? '') === true, task.id);
    }
  });

  it('judges whether the command is the expert’s', async () => {
    const { tasks } = await tasksIn(await folderWith('judged', { ...potato, solvable: true }));
    const rules = await openRules(tasks, null);
    for (const task of tasks) {
      const verdict = (content: string) =>
        rules.score(task, { messages: [{ role: 'assistant', content }], stopReason: 'stop' });
      const gold = rules.goldAnswer(task) ?? '';
      assert.equal(verdict(gold).success, true);
      assert.equal(verdict(`I see.\nAction: ${gold}.`).success, true);
      assert.deepEqual(
        [verdict('look').success, verdict('look').valid, verdict('think: where?').valid, verdict('').valid],
        [false, true, false, false],
      );
    }
  });

  it('solves games that nobody has, leaves out what cannot be solved, and tells what goes otherwise', async () => {
    const own = stepsOf({ ...potato, walkthrough: null });
    assert.ok(own.length > 0 && own.length <= (potato.walkthrough?.length ?? 0));
    assert.ok(own.every(({ action, admissible }) => admissible.includes(action)));
    assert.deepEqual((await tasksIn(await folderWith('unsolvable', { ...potato, solvable: false }))).tasks, []);
    const wrong = { ...potato, solvable: true, walkthrough: ['fly to the moon'] };
    const { tasks, problems } = await tasksIn(await folderWith('wrong', wrong));
    assert.deepEqual(tasks, []);
    assert.match(problems[0]?.message ?? '', /its walkthrough says “fly to the moon”, which does nothing/);
    const short = await tasksIn(await folderWith('short', { ...potato, solvable: true, walkthrough: ['look'] }));
    assert.match(short.problems[0]?.message ?? '', /its walkthrough does not win it/);
  });

  it('gives seed tasks of one turn, which a run in mode offline takes', async () => {
    const folder = await folderWith('seeds', { ...potato, solvable: true });
    const { tasks } = await writeSeedTasks(join(dir, 'seeds.jsonl'), shipped(), folder, {
      signal,
      splits: ['valid_seen'],
    });
    assert.equal(tasks, potato.walkthrough?.length);
    const experiment = smallExperiment({
      mode: 'offline',
      domain: { seeds: 'seeds.jsonl' },
      generation: { offlineFile: 'seeds.jsonl' },
    });
    const texts = await loadInputs(experiment, dir);
    assert.equal(texts.get('inputs/seeds.jsonl'), await readFile(join(dir, 'seeds.jsonl'), 'utf8'));
  });
});

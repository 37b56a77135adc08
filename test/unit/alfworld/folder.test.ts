import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { DataFolderError, findGames } from '../../../src/benchmarks/alfworld/folder.ts';
import { openAlfworld } from '../../../src/benchmarks/alfworld/offline.ts';
import { CaseError, OptionError, type ScorerOptions } from '../../../src/benchmarks/offline/offlineScorer.ts';
import { gameFile, gameText } from '../../support/alfworld/games.ts';

const verdictSchema = z.strictObject({
  intro: z.string(),
  admissible: z.array(z.string()),
  won: z.boolean(),
  steps: z.array(
    z.strictObject({
      command: z.string(),
      feedback: z.string(),
      admissible: z.array(z.string()),
      score: z.number(),
      won: z.boolean(),
      done: z.boolean(),
    }),
  ),
});

const heat = 'pick_heat_then_place_in_recep';

describe('ALFWorld: files', () => {
  let root: string;
  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'genenv-alfworld-'));
    const trial = async (name: string, trajectory: unknown, game?: object | string): Promise<void> => {
      const folder = join(root, 'json_2.1.1', 'valid_seen', name, 'trial_1');
      await mkdir(folder, { recursive: true });
      const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
      await writeFile(join(folder, 'traj_data.json'), text(trajectory));
      if (game !== undefined) await writeFile(join(folder, 'game.tw-pddl'), text(game));
    };
    const anns = [{ task_desc: 'Heat a potato.' }];
    const good = { task_type: heat, turk_annotations: { anns } };
    await trial('b-Potato-None-SinkBasin-2', good, gameText('potato'));
    await trial('a-Potato-None-SinkBasin-1', { task_type: heat }, gameText('potato'));
    await trial('pick_and_place_with_movable_recep-Potato-Cup-Fridge-3', good, gameText('potato'));
    await trial('c-PotatoSliced-None-Fridge-4', good, gameText('potato'));
    await trial('d-other', { task_type: 'pick_and_eat' }, gameText('potato'));
    await trial('e-none', good);
    await trial('f-untried', good, gameText('threeAgents'));
    await trial('g-unsolvable', good, { ...gameFile('potato'), solvable: false });
    await trial('h-torn', good, '{"pddl_domain": ');
    await trial('i-torn', '{', gameText('potato'));
    await mkdir(join(root, 'json_2.1.1', 'train'));
  });
  after(() => rm(root, { recursive: true }));

  it('finds the games of a split that count, and says why others do not', async () => {
    const found = await findGames(root, 'valid_seen');
    const { games, skipped, official } = found;
    assert.equal(official, 140);
    assert.deepEqual(
      games.map(({ id, taskType, descriptions }) => ({ id, taskType, descriptions })),
      [
        { id: 'a-Potato-None-SinkBasin-1/trial_1', taskType: heat, descriptions: [] },
        { id: 'b-Potato-None-SinkBasin-2/trial_1', taskType: heat, descriptions: ['Heat a potato.'] },
      ],
    );
    assert.deepEqual(skipped, { 'movable-or-sliced': 2, 'task-type': 1, 'no-game': 2, unsolvable: 1, unreadable: 2 });
    const near = await findGames(join(root, 'json_2.1.1'), 'valid_seen');
    const at = await findGames(join(root, 'json_2.1.1', 'valid_seen'), 'valid_seen');
    assert.deepEqual([near, at], [found, found]);
  });

  it('names what is missing', async () => {
    const fault = (reason: string, text: string) => (error: unknown) =>
      error instanceof DataFolderError && error.reason === reason && error.message.includes(text);
    await assert.rejects(findGames(root, 'valid_unseen'), fault('missing', 'json_2.1.1/valid_unseen'));
    await assert.rejects(findGames(root, 'train'), fault('empty', 'no game that counts'));
  });

  const options = (file: string | null, ...given: string[]): ScorerOptions => ({
    has: (option) => given.includes(option),
    text: (option) => (option === 'game' ? file : null),
  });
  const gamePath = (): string =>
    join(root, 'json_2.1.1', 'valid_seen', 'b-Potato-None-SinkBasin-2', 'trial_1', 'game.tw-pddl');

  it('scores command sequences offline, each from the start', async () => {
    const scorer = await openAlfworld(options(gamePath()));
    const line = JSON.stringify({
      id: 7,
      commands: ['inventory', 'Inventory', ...(gameFile('potato').walkthrough ?? [])],
    });
    const verdict = await scorer.score(line);
    assert.deepEqual(await scorer.score(line), verdict);
    const { intro, admissible, won, steps } = verdictSchema.parse(verdict);
    assert.match(intro, /^-= Welcome to TextWorld, ALFRED! =-/);
    assert.equal(admissible.length, 23);
    assert.equal(won, false);
    assert.deepEqual(steps[0], {
      command: 'inventory',
      feedback: 'You are not carrying anything.',
      admissible,
      score: 0,
      won: false,
      done: false,
    });
    assert.deepEqual(steps[1], { ...steps[0], command: 'Inventory', feedback: 'Nothing happens.' });
    assert.deepEqual(
      steps.map(({ score, won: now, done }) => [score, now, done]),
      steps.map((_, index) => (index < steps.length - 1 ? [0, false, false] : [1, true, true])),
    );
  });

  it('calls things by their ids with --no-rename', async () => {
    const scorer = await openAlfworld(options(gamePath(), 'no-rename'));
    const { admissible } = verdictSchema.parse(await scorer.score('{"id": 1, "commands": []}'));
    assert.ok(admissible.includes('go to toaster_bar__plus_00_dot_13_bar__plus_00_dot_90_bar__minus_01_dot_59'));
  });

  it('refuses options and cases that are none', async () => {
    await assert.rejects(
      openAlfworld(options(join(root, 'json_2.1.1', 'valid_seen', 'h-torn', 'trial_1', 'game.tw-pddl'))),
      OptionError,
    );
    const scorer = await openAlfworld(options(gamePath()));
    for (const [line, field] of [
      ['{"id": 1}', 'commands'],
      ['{"id": 1, "commands": ["look", 2]}', 'commands.1'],
    ] as const) {
      await assert.rejects(
        async () => scorer.score(line),
        (error) => error instanceof CaseError && error.field === field,
      );
    }
  });
});

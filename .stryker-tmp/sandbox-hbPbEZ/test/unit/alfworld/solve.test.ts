import assert from 'node:assert/strict';
import { Game } from '../../../src/benchmarks/alfworld/game.ts';
import type { GameFile } from '../../../src/benchmarks/alfworld/gameFile.ts';
import { Play } from '../../../src/benchmarks/alfworld/play.ts';
import { solve } from '../../../src/benchmarks/alfworld/solve.ts';
import {
  readVariation,
  variedGame,
  VariationError,
  type VariationErrorReason,
} from '../../../src/benchmarks/alfworld/variation.ts';
import { gameFile, gameOf, replaced, type GameName } from '../../support/alfworld/games.ts';
import { mini } from '../../support/alfworld/mini.ts';

/** Plays it; every command must do something, and only the last one win. */
function assertWins(game: Game, walkthrough: readonly string[]): void {
  const play = new Play(game);
  for (const command of walkthrough) {
    assert.equal(play.won, false);
    assert.ok(play.admissible.includes(command), command);
    play.step(command);
  }
  assert.equal(play.won, true);
}

const kitchen = gameFile('potato');
/** The kitchen with a lamp on the counter. */
const lampId = 'DeskLamp_bar__plus_00_dot_00_bar__plus_00_dot_00_bar__plus_00_dot_00';
const counter = /\(receptacleAtLocation (CounterTop\S+) (\S+)\)/.exec(kitchen.pddl_problem) ?? [];
const litKitchen = replaced(
  kitchen,
  'pddl_problem',
  ['(:objects', `(:objects ${lampId} - object`],
  [
    '(:init',
    `(:init (objectType ${lampId} DeskLampType) (toggleable ${lampId}) (inReceptacle ${lampId} ${counter[1] ?? ''})`,
  ],
);

const varied = (variation: object, base: GameFile = kitchen): GameFile =>
  variedGame(base, readVariation(`Here it is: ${JSON.stringify(variation)}.`));

function assertRefused(reason: VariationErrorReason, message: RegExp, make: () => unknown): void {
  assert.throws(
    make,
    (error) => error instanceof VariationError && error.reason === reason && message.test(error.message),
  );
}

describe('ALFWorld: proving games solvable', () => {
  for (const name of ['potato', 'twTest', 'threeAgents'] satisfies GameName[]) {
    it(`finds a walkthrough of ${name} without a needless command`, () => {
      const game = gameOf(name);
      const solution = solve(game);
      assert.ok(solution.kind === 'solved');
      assertWins(game, solution.walkthrough);
      for (const at of solution.walkthrough.keys()) {
        const play = new Play(game);
        for (const command of solution.walkthrough.toSpliced(at, 1)) play.step(command);
        assert.equal(play.won, false);
      }
    });
  }

  it('knows what can never be won, and does not claim what it has not found', () => {
    assert.deepEqual(solve(new Game(mini({ goal: '(in coin_bar_1 me_bar_1)' }))), { kind: 'unsolvable' });
    // Each can be had, but not both: there is one pair of hands.
    assert.deepEqual(solve(new Game(mini({ goal: '(and (held coin_bar_1) (held coin_bar_2))' }))), {
      kind: 'unsolvable',
    });
    assert.deepEqual(solve(new Game(mini()), { states: 2 }), { kind: 'unproven', states: 2 });
  });
});

describe('ALFWorld: new tasks in a known room', () => {
  const tasks: [object, string, GameFile?][] = [
    [
      {
        task: 'pick_and_place_simple',
        object: 'mug',
        receptacle: 'fridge',
        moved: [{ object: 'mug 3', to: 'cabinet 1' }],
      },
      'put a mug in fridge',
    ],
    [
      { task: 'pick_clean_then_place_in_recep', object: 'Knife', receptacle: 'countertop' },
      'put a clean knife in countertop',
    ],
    [{ task: 'pick_heat_then_place_in_recep', object: 'apple', receptacle: 'fridge' }, 'put a hot apple in fridge'],
    [{ task: 'pick_cool_then_place_in_recep', object: 'egg', receptacle: 'microwave' }, 'put a cool egg in microwave'],
    [{ task: 'pick_two_obj_and_place', object: 'potato', receptacle: 'fridge' }, 'put two potato in fridge'],
    [{ task: 'look_at_obj_in_light', object: 'mug', lamp: 'desklamp' }, 'look at mug under the desklamp', litKitchen],
  ];
  for (const [variation, sentence, base] of tasks) {
    it(`poses "${sentence}"`, () => {
      const file = varied(variation, base);
      const game = new Game(file);
      assert.equal(file.solvable, true);
      assert.ok(new Play(game).intro.endsWith(`Your task is to: ${sentence}.`));
      assertWins(game, file.walkthrough ?? []);
    });
  }

  it('puts moved things where they were put, under the names they had', () => {
    const file = varied({
      task: 'pick_heat_then_place_in_recep',
      object: 'potato',
      receptacle: 'sinkbasin',
      moved: [
        { object: 'potato 1', to: 'garbagecan 1' },
        { object: 'potato 2', to: 'garbagecan 1' },
      ],
    });
    const play = new Play(new Game(file));
    assert.match(play.step('go to garbagecan 1'), /you see .*a potato 2, and a potato 1\.$/);
    assert.ok(play.admissible.includes('take potato 1 from garbagecan 1'));
    play.step('go to countertop 2');
    assert.ok(!play.admissible.some((command) => command.includes('potato')));
  });

  it('refuses what cannot be posed, and says why', () => {
    const plain = { task: 'pick_and_place_simple', object: 'mug', receptacle: 'fridge' };
    const refusals: [object, RegExp][] = [
      [{ ...plain, object: 'unicorn' }, /unicorn is no kind of object here/],
      [{ ...plain, receptacle: 'mug' }, /mug is no kind of receptacle here/],
      [{ ...plain, receptacle: undefined }, /A name is missing/],
      [{ ...plain, receptacle: 'coffeemachine' }, /done before anything is done/],
      [{ ...plain, receptacle: 'bed' }, /Nothing that can be done here wins/],
      [{ task: 'look_at_obj_in_light', object: 'mug', lamp: 'desklamp' }, /Nothing that can be done here wins/],
      [{ ...plain, moved: [{ object: 'mug 9', to: 'fridge 1' }] }, /no mug 9 in the room/],
      [{ ...plain, moved: [{ object: 'mug 1', to: 'potato 1' }] }, /nothing to put things in/],
      [{ ...plain, moved: [{ object: 'chair 1', to: 'fridge 1' }] }, /chair 1 cannot be moved/],
      [{ ...plain, moved: [{ object: 'knife 1', to: 'toaster 1' }] }, /knife 1 does not go in toaster 1/],
    ];
    for (const [variation, message] of refusals) assertRefused('gold', message, () => varied(variation));
    assertRefused('gold', /not proven solvable/, () =>
      variedGame(kitchen, readVariation(JSON.stringify({ ...plain, object: 'potato' })), { states: 1 }),
    );
    assertRefused('unparseable', /no JSON object/, () => readVariation('I would rather not.'));
    assertRefused('schema', /^task: /, () => readVariation('{"task": "sleep", "object": "bed"}'));
  });
});

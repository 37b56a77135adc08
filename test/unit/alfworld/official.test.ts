import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { Game } from '../../../src/benchmarks/alfworld/game.ts';
import { Play } from '../../../src/benchmarks/alfworld/play.ts';
import { gameFile, gameOf, oddTexts, type GameName } from '../../support/alfworld/games.ts';

/** The official engine's answers: a game a line, admissible commands as removed and added ones. */
const goldenSchema = z.object({
  intro: z.string(),
  admissible: z.array(z.string()),
  won: z.boolean(),
  steps: z.array(
    z.tuple([z.string(), z.string(), z.array(z.string()), z.array(z.string()), z.number(), z.boolean(), z.boolean()]),
  ),
});

function assertAsGolden(game: Game, name: string): void {
  const text = readFileSync(new URL(`golden/${name}.jsonl`, import.meta.url), 'utf8');
  for (const line of text.trimEnd().split('\n')) {
    const golden = goldenSchema.parse(JSON.parse(line));
    const play = new Play(game);
    assert.deepEqual(
      { intro: play.intro, admissible: play.admissible, won: play.won },
      { intro: golden.intro, admissible: golden.admissible, won: golden.won },
    );
    let admissible = golden.admissible;
    for (const [index, [command, feedback, went, came, score, won, done]] of golden.steps.entries()) {
      const where = `step ${index}, ${command}`;
      admissible = [...admissible.filter((one) => !went.includes(one)), ...came].sort();
      assert.equal(play.step(command), feedback, where);
      assert.deepEqual(play.admissible, admissible, where);
      assert.equal(play.won, won, where);
      assert.equal(play.won ? 1 : 0, score, where);
      assert.equal(done, won, where);
    }
  }
}

describe('ALFWorld: as the official engine', () => {
  for (const name of ['potato', 'twTest', 'threeAgents'] satisfies GameName[]) {
    it(`answers random and adversarial commands on ${name}`, () => assertAsGolden(gameOf(name), name));
  }

  it('says odd texts', () => assertAsGolden(new Game(oddTexts()), 'oddTexts'));

  for (const name of ['potato', 'twTest'] satisfies GameName[]) {
    it(`wins ${name} with its own walkthrough, in the last step and not before`, () => {
      const play = new Play(gameOf(name));
      const won = (gameFile(name).walkthrough ?? []).map((command) => {
        assert.notEqual(play.step(command), 'Nothing happens.');
        return play.won;
      });
      assert.ok(won.length > 2);
      assert.deepEqual(won, [...won.slice(0, -1).map(() => false), true]);
    });
  }

  it('wins with three agents, who each have commands of their own', () => {
    const play = new Play(gameOf('threeAgents'));
    const commands = [
      'alice : go to coffeemachine 1',
      'bob : go to microwave 1',
      'alice : take potato 2 from countertop 2',
      'bob : open microwave 1',
      'alice : go to microwave 1',
      'alice : heat potato 2 with microwave 1',
      'charlie : inventory',
      'alice : go to sinkbasin 1',
      'alice : put potato 2 in/on sinkbasin 1',
    ];
    for (const command of commands) {
      assert.equal(play.won, false);
      assert.notEqual(play.step(command), 'Nothing happens.', command);
    }
    assert.equal(play.won, true);
  });

  it('goes on after it is won, and can be lost again', () => {
    const play = new Play(gameOf('potato'));
    for (const command of gameFile('potato').walkthrough ?? []) play.step(command);
    assert.equal(play.step('look'), 'You are facing the sinkbasin 1. Next to it, you see nothing.');
    assert.equal(play.won, true);
    play.step('take potato 2 from sinkbasin 1');
    assert.equal(play.won, false);
  });
});

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Game } from '../../../src/benchmarks/alfworld/game.ts';
import { GameError } from '../../../src/benchmarks/alfworld/gameError.ts';
import { readGameFile, type GameFile } from '../../../src/benchmarks/alfworld/gameFile.ts';
import { Play } from '../../../src/benchmarks/alfworld/play.ts';
import { readSymbols } from '../../../src/benchmarks/alfworld/text/symbols.ts';
import { commandOf } from '../../../src/benchmarks/alfworld/actionText.ts';
import { readVariation, VariationError } from '../../../src/benchmarks/alfworld/variation.ts';
import { mini } from '../../support/alfworld/mini.ts';

/** Runs it; a GameError with words for a person is as good as an end. Whether there was none. */
function survives(run: () => void): boolean {
  try {
    run();
    return true;
  } catch (error) {
    if (!(error instanceof GameError || error instanceof VariationError)) throw error;
    assert.match(error.message, /\S{3}/);
    return false;
  }
}

/** The text with pieces cut, doubled, moved or replaced. */
const damaged = (text: string) =>
  fc
    .array(
      fc.record({
        at: fc.nat(text.length),
        length: fc.nat(12),
        by: fc.oneof(
          fc.constantFrom(
            '',
            '(',
            ')',
            '{',
            '}',
            '[',
            ']',
            '"""',
            '"',
            '#',
            '|',
            '&',
            '?x',
            'not_',
            '- ',
            '::',
            ';',
            '\n',
            'é',
          ),
          fc.string({ maxLength: 4 }),
          fc.nat(text.length).map((from) => text.slice(from, from + 9)),
        ),
      }),
      { minLength: 1, maxLength: 2 },
    )
    .map((cuts) => cuts.reduce((now, { at, length, by }) => now.slice(0, at) + by + now.slice(at + length), text));

const base = mini();
const walk = ['open chest 1', 'walk to yard 1', 'open crate 1', 'take coin 1 from crate 1', 'put coin 1 in crate 1'];

describe('ALFWorld: damaged input', () => {
  for (const [part, numRuns] of [
    ['pddl_domain', 250],
    ['pddl_problem', 250],
    ['grammar', 250],
  ] satisfies [keyof GameFile, number][]) {
    it(`plays a game whose ${part} is damaged, or says why not`, () => {
      let played = 0;
      let refused = 0;
      const text = base[part];
      fc.assert(
        fc.property(damaged(typeof text === 'string' ? text : ''), (now) => {
          const fine = survives(() => {
            const play = new Play(new Game({ ...base, [part]: now }));
            for (const command of [...walk, ...play.admissible.slice(0, 3)]) play.step(command);
          });
          if (fine) played += 1;
          else refused += 1;
        }),
        { numRuns, seed: 11 },
      );
      assert.ok(played > 2 && refused > 10, `${played} played, ${refused} refused`);
    });
  }

  it('reads whatever a game file, a right-hand side, a model or an environment policy may say', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.json(), damaged('{"task": "pick_and_place_simple", "object": "mug"}')),
        (text) => {
          survives(() => readGameFile(text));
          survives(() => readVariation(text));
          assert.ok(Array.isArray(readSymbols(text)));
          assert.equal(commandOf(text), commandOf(text).trim());
        },
      ),
      { numRuns: 500, seed: 12 },
    );
  });

  it('answers any command', () => {
    const play = new Play(new Game(base));
    fc.assert(
      fc.property(fc.oneof(fc.string(), damaged('take coin 1 from crate 1')), (command) => {
        const { admissible } = play;
        if (!admissible.includes(command.trim())) assert.equal(play.step(command), 'Nothing happens.');
        assert.deepEqual(play.admissible, admissible);
      }),
      { numRuns: 500, seed: 13 },
    );
  });
});

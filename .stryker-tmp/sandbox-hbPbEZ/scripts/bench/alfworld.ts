/**
 * Steps a second of ALFWorld's engine, admissible commands included, on a real kitchen and on ten of them in one; by the
 * processor time of the thread, which other programs do not take away from.
 */
import { readFile } from 'node:fs/promises';
import { Game } from '../../src/benchmarks/alfworld/game.ts';
import { readGameFile, type GameFile } from '../../src/benchmarks/alfworld/gameFile.ts';
import { Play } from '../../src/benchmarks/alfworld/play.ts';
import { Rng } from '../../src/engine/random.ts';
import type { Figure } from './figure.ts';
import { processorSeconds } from './processorSeconds.ts';

const kitchen = new URL('../../test/support/alfworld/potato.tw-pddl', import.meta.url);
const steps = 2000;
const rounds = 5;

export async function benchAlfworld(): Promise<Figure[]> {
  const file = readGameFile(await readFile(kitchen, 'utf8'));
  return [1, 10].map((times) => {
    const begin = processorSeconds();
    const game = new Game(enlarged(file, times));
    const loading = processorSeconds() - begin;
    const speed = Math.max(...Array.from({ length: rounds }, (_, round) => stepsPerSecond(game, round)));
    const { objects, operators } = game.world;
    const note =
      `${objects.names.length.toLocaleString('en')} objects, ${operators.length.toLocaleString('en')} ground actions, ` +
      `read and grounded in ${loading.toFixed(2)} s; random commands, half of them other than going`;
    return {
      name: times === 1 ? 'a real kitchen' : `${times} kitchens in one`,
      value: speed,
      unit: 'steps/s',
      budget: 5000,
      note,
    };
  });
}

/** Random walks mostly go about; every second command is something to do where one is. */
function stepsPerSecond(game: Game, round: number): number {
  const rng = Rng.from('bench', round);
  const play = new Play(game);
  let seconds = 0;
  let { admissible } = play;
  for (let step = 0; step < steps; step++) {
    const here = step % 2 === 0 ? admissible : admissible.filter((command) => !command.startsWith('go to'));
    const command = here[rng.int(here.length)] ?? 'look';
    const begin = processorSeconds();
    play.step(command);
    ({ admissible } = play);
    seconds += processorSeconds() - begin;
  }
  return steps / seconds;
}

/** The world several times: every thing and place but the agent, with ids of their own. */
function enlarged(file: GameFile, times: number): GameFile {
  const lines = file.pddl_problem.split('\n').flatMap((line) => {
    if (!line.includes('_bar_') || line.includes('(atLocation')) return [line];
    const copies = Array.from({ length: times }, (_, copy) =>
      line.replace(/([A-Za-z]+)(_bar_\S*)/g, `$1_bar_${copy}$2`),
    );
    return times === 1 ? [line] : copies;
  });
  const start = /\(atLocation \S+ (\S+)\)/.exec(file.pddl_problem)?.[1] ?? '';
  const problem = lines.join('\n');
  return {
    ...file,
    pddl_problem: times === 1 ? problem : problem.replace(`${start})`, `${start.replace('_bar_', '_bar_0_bar_')})`),
  };
}

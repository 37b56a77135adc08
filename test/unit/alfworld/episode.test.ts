import assert from 'node:assert/strict';
import { commandOf } from '../../../src/benchmarks/alfworld/actionText.ts';
import { AlfworldEpisode, replayed, type EpisodeOptions } from '../../../src/benchmarks/alfworld/episode.ts';
import { Game } from '../../../src/benchmarks/alfworld/game.ts';
import type { Message } from '../../../src/shared/records/message.ts';
import type { Task } from '../../../src/shared/records/task.ts';
import { gameFile, gameOf } from '../../support/alfworld/games.ts';
import { mini } from '../../support/alfworld/mini.ts';

const task: Task = {
  v: 1,
  id: 't',
  family: 't',
  epoch: 0,
  origin: 'validation',
  seed: null,
  status: 'accepted',
  prompt: [{ role: 'system', content: 'Play.' }],
  evaluation: { kind: 'alfworld' },
  gold: null,
  complexity: {},
  plan: '',
};
const episode = (options: EpisodeOptions = {}, game = new Game(mini())): AlfworldEpisode =>
  new AlfworldEpisode(() => game, options);
const said = (content: string) => [{ role: 'user', content }];

describe('ALFWorld: the command in a model’s text', () => {
  const texts: [string, string][] = [
    ['go to fridge 1', 'go to fridge 1'],
    ['\n  look  \nand then wait', 'look'],
    ['I should look around.\n> go to fridge 1\n> look', 'go to fridge 1'],
    ['Thought: it is cold.\nAction: open fridge 1.', 'open fridge 1'],
    ['Action: look\nAction 2: `open fridge 1`', 'open fridge 1'],
    ['**Action:** open fridge 1', 'open fridge 1'],
    ['> look\nACTION: "open fridge 1"', 'open fridge 1'],
    ['<think>Action: look</think>\nopen fridge 1', 'open fridge 1'],
    ['<think>cut short', ''],
    ['Action: look, or wait?\n</think>\n\nopen fridge 1', 'open fridge 1'],
    ['look <think>done</think>', 'look'],
    ['```\nopen fridge 1\n```', 'open fridge 1'],
    ['I open it.\n\n```text\nopen fridge 1\n```\nThen I look.', 'open fridge 1'],
    ['```open fridge 1```', 'open fridge 1'],
    ['Thought: cold.\nAction:\n```\nopen fridge 1\n```', 'open fridge 1'],
    ['**Action:**\nopen fridge 1', 'open fridge 1'],
    ['Action: open fridge 1\nAction:', 'open fridge 1'],
    ['Action:\nAction: look', 'look'],
    ['Action: > open fridge 1', 'open fridge 1'],
    ['Action:', ''],
    ['>\n> look', 'look'],
    ['"open fridge 1".', 'open fridge 1'],
    ['"open fridge 1."', 'open fridge 1'],
    ['**“open fridge 1”**.', 'open fridge 1'],
    ['Open fridge 1', 'Open fridge 1'],
    ['think: where is it?', 'think: where is it?'],
    ['', ''],
  ];
  for (const [text, command] of texts) {
    it(JSON.stringify(text), () => assert.equal(commandOf(text), command));
  }
});

describe('ALFWorld: episodes', () => {
  it('begins without the welcome line', () => {
    const { messages, done } = episode({}, gameOf('potato')).reset(task);
    assert.equal(done, false);
    assert.match(
      messages[0]?.content ?? '',
      /^You are in the middle of a room\. [^]*\n\nYour task is to: put a hot potato/,
    );
  });

  it('says how to play where the task itself does not', () => {
    const { messages } = episode().reset({ ...task, prompt: [] });
    assert.match(messages[0]?.content ?? '', /^You act in a household[^]*\n\nBegin\.$/);
  });

  it('answers commands and thoughts, and says what can be done when asked to', () => {
    const one = episode({ admissible: true });
    assert.deepEqual(one.reset(task).messages, said('Begin.\nAdmissible commands: open chest 1, walk to yard 1'));
    assert.deepEqual(
      one.step('think: a chest!').messages,
      said('OK.\nAdmissible commands: open chest 1, walk to yard 1'),
    );
    assert.deepEqual(episode().step('look'), { messages: [], done: true });
    const quiet = episode();
    quiet.reset(task);
    assert.deepEqual(quiet.step('> open chest 1'), { messages: said('It holds nothing.'), done: false });
    assert.deepEqual(quiet.step('fly'), { messages: said('Nothing happens.'), done: false });
  });

  it('is done when it is won, and after the last step, won or not', () => {
    const one = episode({}, gameOf('potato'));
    one.reset(task);
    const done = (gameFile('potato').walkthrough ?? []).map((command) => one.step(command).done);
    assert.deepEqual(done.slice(-2), [false, true]);
    assert.equal(one.won, true);
    one.reset(task);
    const idle = Array.from({ length: 50 }, () => one.step('look').done);
    assert.equal(idle.indexOf(true), 49);
    assert.equal(one.won, false);
  });

  it('is judged by playing its turns again', () => {
    const turns = (...contents: string[]): Message[] =>
      contents.flatMap((content): Message[] => [
        { role: 'assistant', content },
        { role: 'user', content: 'whatever was answered' },
      ]);
    const walkthrough = gameFile('potato').walkthrough ?? [];
    const game = gameOf('potato');
    assert.deepEqual(replayed(game, turns('think: a potato', 'jump', ...walkthrough, 'look')), {
      won: true,
      steps: walkthrough.length + 2,
      refused: 1,
    });
    assert.deepEqual(replayed(game, turns(...walkthrough), 5), { won: false, steps: 5, refused: 0 });
    assert.deepEqual(replayed(game, []), { won: false, steps: 0, refused: 0 });
  });
});

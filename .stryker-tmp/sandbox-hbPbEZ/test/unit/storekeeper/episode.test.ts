import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseBody } from '../../../src/benchmarks/storekeeper/body.ts';
import { renderCall } from '../../../src/benchmarks/storekeeper/calls.ts';
import { StorekeeperDomain } from '../../../src/benchmarks/storekeeper/domain.ts';
import { execute } from '../../../src/benchmarks/storekeeper/execute.ts';
import { StorekeeperEpisode } from '../../../src/benchmarks/storekeeper/episode.ts';
import { StorekeeperScorer } from '../../../src/benchmarks/storekeeper/scorer.ts';
import { authoredTask } from '../../../src/benchmarks/storekeeper/task.ts';
import { vocabulary, words } from '../../../src/benchmarks/storekeeper/vocabulary.ts';
import type { Message } from '../../../src/shared/records/message.ts';
import { anyBody } from './arbitraries.ts';

const taskOf = (text: string) => authoredTask(parseBody(words(text)), 't', 'base', 'CALL');
const cue: Message = { role: 'user', content: 'CALL' };

describe('storekeeper: episode', () => {
  it('carries out calls on a store and tells what is left', () => {
    const episode = new StorekeeperEpisode();
    const task = taskOf(
      'MENU increase f1 decrease f2 get f3 double f4 REQ first add rice 3 second take rice 9 third check rice fourth copy milk',
    );
    assert.deepEqual(episode.reset(task), { messages: [], done: false });
    assert.deepEqual(episode.step('first increase f1 rice 3 <end>'), {
      messages: [{ role: 'tool', name: 'f1', content: 'left 12' }, cue],
      done: false,
    });
    assert.deepEqual(episode.step('second decrease f2 rice 13'), {
      messages: [{ role: 'tool', name: 'f2', content: 'error' }, cue],
      done: false,
    });
    assert.deepEqual(episode.step('third get f2 rice'), {
      messages: [{ role: 'tool', name: 'f2', content: 'error' }, cue],
      done: false,
    });
    assert.deepEqual(episode.step('fourth double f4 rice'), {
      messages: [{ role: 'tool', name: 'f4', content: 'left many' }],
      done: true,
    });
  });

  it('ends when a turn makes no call, and starts afresh', () => {
    const episode = new StorekeeperEpisode();
    const task = taskOf('MENU clear f1 get f3 REQ first empty rice second check rice');
    for (const silent of ['', '<end>', 'first clear rice']) {
      episode.reset(task);
      assert.deepEqual(episode.step(silent), { messages: [], done: true });
    }
    episode.reset(task);
    episode.step('first clear f1 rice');
    episode.reset(task);
    assert.equal(episode.step('first get f3 rice').messages[0]?.content, 'left 9');
  });

  it('is solved by the gold, one call a turn or all in one', () => {
    const domain = new StorekeeperDomain({ multiTurn: true });
    const scorer = new StorekeeperScorer();
    fc.assert(
      fc.property(anyBody, fc.boolean(), (body, atOnce) => {
        const task = authoredTask(body, 't', 'base', 'CALL');
        const episode = domain.environment();
        assert.ok(episode !== null);
        episode.reset(task);
        const calls = execute(body).map(renderCall);
        const turns = atOnce ? [calls.join(' ')] : calls;
        const messages: Message[] = [];
        for (const [i, turn] of turns.entries()) {
          const observation = episode.step(turn);
          messages.push({ role: 'assistant', content: turn }, ...observation.messages);
          assert.equal(observation.done, i === turns.length - 1);
        }
        assert.equal(scorer.score(task, { messages, stopReason: 'stop' }).success, true);
        for (const { content } of messages)
          for (const word of words(content)) assert.ok(vocabulary.includes(word), word);
        assert.ok(!messages.some(({ content }) => content === 'error'));
      }),
    );
  });

  it('is not posed where answers take one turn', () => {
    assert.equal(new StorekeeperDomain({ baseTasks: 1, validationTasks: 1 }).environment(), null);
  });
});

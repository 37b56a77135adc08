/** Attempts of several turns. */
import assert from 'node:assert/strict';
import { EpisodeError } from '../../../../src/engine/errors.ts';
import type { AttemptPlan } from '../../../../src/engine/phases/attempts/attemptPlan.ts';
import { answerTokens, tokensOf } from '../../../../src/engine/phases/attempts/traceTokens.ts';
import type { Environment } from '../../../../src/engine/ports.ts';
import type { Message } from '../../../../src/shared/records/message.ts';
import { makeTrace } from '../../../support/runs/records.ts';
import { attempting, said, task } from '../../../support/scripted/attempting.ts';

describe('attempts in episodes', () => {
  /** Answers with its turn's number; alone from the second turn on where asked. */
  const counting = (turns: number, alone: boolean) => (): Environment => {
    let turn = 0;
    return {
      reset: () => ({ messages: [{ role: 'tool', content: 'ready' }], done: false }),
      step: () => {
        turn += 1;
        return { messages: [{ role: 'tool', content: `turn ${turn}` }], done: turn === turns, alone };
      },
    };
  };
  const one: Partial<AttemptPlan> = { tasks: [task('a')], group: 1, minimum: 1 };
  const contents = (messages: readonly Message[] = []): string[] => messages.map(({ content }) => content);

  for (const deterministic of [true, false]) {
    it(`read all that was said before, ${deterministic ? 'turn by turn' : 'as answers come'}`, async () => {
      const { done, requests, traces } = attempting(one, {
        ...{ deterministic, episode: counting(3, false), rollouts: { rollouts: { maxTurns: 5 } } },
        answers: (request, index) => [said(request, index, `say ${request.messages.length}`)],
      });
      await done;
      assert.deepEqual(
        requests.map(({ id, messages }) => [id, contents(messages).join()]),
        [
          ['a', 'Climb.,go a,ready'],
          ['e3/a/r0', 'Climb.,go a,ready,say 3,turn 1'],
          ['e3/a/r0', 'Climb.,go a,ready,say 3,turn 1,say 5,turn 2'],
        ],
      );
      assert.equal(new Set(requests.map(({ seed }) => seed)).size, 3);
      assert.deepEqual(contents(traces[0]?.messages), [
        'ready',
        'say 3',
        'turn 1',
        'say 5',
        'turn 2',
        'say 7',
        'turn 3',
      ]);
      assert.equal(traces[0]?.stopReason, 'stop');
    });
  }

  it('read the prompt’s system messages alone where an observation stands alone', async () => {
    const { done, requests } = attempting(one, {
      ...{ episode: counting(3, true), rollouts: { rollouts: { maxTurns: 5 } } },
    });
    await done;
    assert.deepEqual(
      requests.map(({ messages }) => contents(messages).join()),
      ['Climb.,go a,ready', 'Climb.,turn 1', 'Climb.,turn 2'],
    );
  });

  it('read what the prompt’s system says and not what an earlier observation’s does', async () => {
    const episode = counting(2, true);
    const { done, requests } = attempting(one, {
      episode: () => ({
        ...episode(),
        reset: () => ({ messages: [{ role: 'system', content: 'for this turn' }], done: false }),
      }),
      rollouts: { rollouts: { maxTurns: 5 } },
    });
    await done;
    assert.deepEqual(
      requests.map(({ messages }) => contents(messages).join()),
      ['Climb.,go a,for this turn', 'Climb.,turn 1'],
    );
  });

  for (const deterministic of [true, false]) {
    it(`that die leave their attempt unanswered, and the others go on: ${deterministic ? 'in waves' : 'as answers come'}`, async () => {
      // The second of four episodes dies at its second turn: the first reset of a task tells what its attempts begin with.
      let begun = 0;
      const dying = (): Environment => {
        const number = begun++;
        const episode = counting(3, false)();
        let turn = 0;
        return {
          reset: (...given) => episode.reset(...given),
          step: (...given) => {
            turn += 1;
            if (number === 3 && turn === 2) throw new EpisodeError('The game crashed.');
            return episode.step(...given);
          },
        };
      };
      const { done, traces, requests } = attempting(
        { minimum: 1 },
        { deterministic, episode: dying, rollouts: { rollouts: { maxTurns: 5 } } },
      );
      const { groups, unanswered } = await done;
      assert.deepEqual(unanswered, { count: 1, causes: [{ cause: 'The game crashed.', count: 1 }] });
      assert.equal(traces.length, 3);
      assert.equal(groups.flatMap((group) => group.traces).length, 3);
      // Two first turns for two attempts each, and two turns more for each that lived, one for the other.
      assert.equal(requests.length, 2 + 3 * 2 + 1);
    });
  }

  it('that do not begin leave all attempts at their task unanswered', async () => {
    let begun = 0;
    const first = (): Environment => {
      const episode = counting(1, false)();
      const fails = begun++ === 0;
      return {
        reset: (...given) => {
          if (fails) throw new EpisodeError('No such game.');
          return episode.reset(...given);
        },
        step: (...given) => episode.step(...given),
      };
    };
    const { done, requests } = attempting({ minimum: 0, group: 3 }, { episode: first });
    const { groups, unanswered } = await done;
    assert.deepEqual(unanswered, { count: 3, causes: [{ cause: 'No such game.', count: 3 }] });
    assert.deepEqual(
      requests.map(({ id }) => id),
      ['b'],
    );
    assert.deepEqual(
      groups.map(({ traces }) => traces.length),
      [0, 3],
    );
  });

  it('end the phase where they fail in another way', async () => {
    const failing = (where: 'reset' | 'step') => (): Environment => {
      const episode = counting(2, false)();
      const fail = (): never => {
        throw new TypeError(`no ${where}`);
      };
      return { ...episode, [where]: fail };
    };
    for (const where of ['reset', 'step'] as const) {
      const { done } = attempting({ ...one, minimum: 0 }, { episode: failing(where) });
      await assert.rejects(done, new TypeError(`no ${where}`));
    }
  });

  it('end with their last turn, and with an answer that was cut', async () => {
    const setup = { episode: counting(9, false), rollouts: { rollouts: { maxTurns: 2 } } };
    const long = attempting(one, setup);
    await long.done;
    assert.deepEqual([long.requests.length, long.traces[0]?.stopReason], [2, 'turns']);
    const cut = attempting(one, {
      ...setup,
      answers: (request, index) => [said(request, index, 'up', { stopReason: 'length' })],
    });
    await cut.done;
    assert.deepEqual([cut.requests.length, cut.traces[0]?.stopReason], [1, 'length']);
  });

  it('add up tokens that an endpoint only counts', async () => {
    const { done, traces } = attempting(one, {
      ...{ episode: counting(2, false), rollouts: { rollouts: { maxTurns: 5 } } },
      answers: (request, index) => [
        said(request, index, 'up', {
          ...{ promptTokens: [], tokens: [], logprobs: [], counted: { prompt: 10, answer: 3 } },
        }),
      ],
    });
    const { tokens } = await done;
    assert.deepEqual(traces[0]?.counted, { prompt: 20, answer: 6 });
    assert.equal(tokens, 26);
    assert.deepEqual(
      traces.map((trace) => [tokensOf(trace), answerTokens(trace)]),
      [[26, 6]],
    );
    const told = makeTrace({
      sequences: [
        {
          tokens: [1, 2, 3],
          spans: [
            [1, 2],
            [2, 3],
          ],
          logprobs: [0, 0],
        },
      ],
    });
    assert.deepEqual([tokensOf(told), answerTokens(told)], [3, 2]);
  });
});

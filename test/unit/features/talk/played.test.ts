import assert from 'node:assert/strict';
import { played } from '../../../../src/features/talk/node/played.ts';
import type { Environment } from '../../../../src/engine/ports.ts';
import type { Message } from '../../../../src/shared/records/message.ts';
import { said as answer, attempting, task } from '../../../support/scripted/attempting.ts';

const contents = (messages: readonly Message[]): string => messages.map(({ content }) => content).join();
const turn = (content: string): Message => ({ role: 'assistant', content });
const turns = 3;

describe('a task’s tools in a conversation', () => {
  /** Answers with its turn's number; the observations of the turns `alone` are read without what was said before. */
  const counting = (alone: readonly number[]) => (): Environment => {
    let at = 0;
    return {
      reset: () => ({ messages: [{ role: 'user', content: 'ready' }], done: false, alone: alone.includes(0) }),
      step: () => {
        at += 1;
        return { messages: [{ role: 'user', content: `turn ${at}` }], done: at === turns, alone: alone.includes(at) };
      },
    };
  };

  for (const alone of [[], [0, 1, 2, 3], [2], [1]]) {
    it(`are read as in an attempt, with the turns ${JSON.stringify(alone)} alone`, async () => {
      const { done, requests } = attempting(
        { tasks: [task('a')], group: 1, minimum: 1 },
        {
          ...{ episode: counting(alone), rollouts: { rollouts: { maxTurns: turns } } },
          answers: (request, index) => [answer(request, index, 'say')],
        },
      );
      await done;
      const expected = requests.map(({ messages }) => contents(messages));
      assert.equal(expected.length, turns);

      const posed = {
        ...{ task: task('a'), leader: null, domain: { environment: counting(alone) } },
        prompt: [{ role: 'system' as const, content: 'Climb.' }, ...task('a').prompt],
      };
      const live = await played(posed, []);
      const read = [contents(live.read)];
      const conversation: Message[] = [];
      for (let i = 1; i < turns; i++) {
        const { messages } = await live.step(turn('say'));
        read.push(contents(live.read));
        conversation.push(turn('say'), ...messages);
        // A conversation that is opened again continues with the same messages.
        assert.equal(contents((await played(posed, conversation)).read), contents(live.read));
      }
      assert.deepEqual(read, expected);
    });
  }

  it('leave the conversation as it is after their end, and where there are none', async () => {
    const posed = { task: task('a'), leader: null, domain: { environment: () => null }, prompt: [] };
    for (const none of [posed, null]) {
      const live = await played(none, [{ role: 'user', content: 'x' }, turn('y'), { role: 'user', content: 'z' }]);
      assert.equal(contents(live.read), 'x,y,z');
      assert.deepEqual(await live.step(turn('w')), { messages: [], done: true });
    }
  });
});

import assert from 'node:assert/strict';
import type { DomainReply } from '../../../../src/domains/domainFunctions.ts';
import { OpenenvEpisode } from '../../../../src/domains/openenv/episode.ts';
import { EpisodeError } from '../../../../src/engine/errors.ts';
import type { Task, ToolSpec } from '../../../../src/shared/records/task.ts';
import type { Step } from '../../../../src/shared/records/trace.ts';

const step = (observation: Step['observation'], reward: number | null = null, done = false): Step => ({
  ...{ observation, reward, done },
});

const task: Task = {
  ...{ v: 1, id: 'base.1', family: 'base.1', epoch: 0, origin: 'base', seed: null, status: 'accepted' },
  ...{ prompt: [], gold: null, complexity: {}, plan: '', evaluation: { kind: 'domain', reset: { seed: 7 } } },
};

const calling: object = {
  type: 'object',
  properties: { metadata: {}, type: { const: 'call_tool' }, tool_name: {}, arguments: {} },
  required: ['tool_name', 'arguments'],
};
const lookUp: ToolSpec = { name: 'look_up', description: '', parameters: { type: 'object' } };

/** A server by a script: what it was asked, in order. */
class Scripted {
  readonly asked: unknown[] = [];
  readonly url = 'http://fake';
  readonly schemas: { action: Record<string, unknown> };
  readonly #tools: ToolSpec[];
  readonly #answers: Step[];

  constructor(action: object, answers: Step[], tools: ToolSpec[] = []) {
    this.schemas = { action: { ...action } };
    this.#answers = answers;
    this.#tools = tools;
  }

  begin(reset: object) {
    this.asked.push(['reset', reset]);
    const next = (...asked: unknown[]): Promise<Step> => {
      this.asked.push(asked);
      return Promise.resolve(this.#answers.shift() ?? step({}));
    };
    const session = {
      step: (action: object) => next('step', action),
      call: (name: string, given: object) => next('call', name, given),
      tools: () => Promise.resolve(this.#tools),
      close: () => next('close').then(() => undefined),
    };
    return Promise.resolve({ session, first: this.#answers.shift() ?? step({}) });
  }
}

/** A domain file’s functions, without its process. */
const functions = (given: Record<string, (...given: unknown[]) => unknown>) => ({
  has: (name: string) => name in given,
  call: (name: string, ...values: readonly unknown[]): Promise<DomainReply> => {
    const value = given[name]?.(...values);
    return Promise.resolve({ value, written: value, output: '' });
  },
});

const guess: object = {
  type: 'object',
  properties: { metadata: { type: 'object' }, guess: { type: 'integer' } },
  required: ['guess'],
};

const played = (server: Scripted, given: Parameters<typeof functions>[0] = {}): OpenenvEpisode =>
  new OpenenvEpisode('game.domain.ts', functions(given), server);

describe('an episode on an OpenEnv server', () => {
  it('begins with the task’s reset, and shows observations as JSON', async () => {
    const server = new Scripted(guess, [step({ hint: 'Guess.', metadata: {} })]);
    const first = await played(server).reset(task);
    assert.deepEqual(server.asked, [['reset', { seed: 7 }]]);
    assert.deepEqual(first, {
      messages: [{ role: 'user', content: '{\n  "hint": "Guess."\n}' }],
      ...{ done: false, tools: [], steps: [step({ hint: 'Guess.', metadata: {} })] },
    });
  });

  it('says nothing where there is nothing to say', async () => {
    assert.deepEqual((await played(new Scripted(guess, [step({ metadata: {} })])).reset(task)).messages, []);
  });

  for (const [text, action] of [
    ['{"guess": 4}', { guess: 4 }],
    ['I try the middle.\n```json\n{"guess": 5}\n```', { guess: 5 }],
    [' 6\n', { guess: 6 }],
  ] as const) {
    it(`reads ${JSON.stringify(text)} as an action`, async () => {
      const server = new Scripted(guess, [step({}), step({ hint: 'right' }, 1, true)]);
      const episode = played(server);
      await episode.reset(task);
      const answered = await episode.step(text);
      assert.deepEqual(server.asked[1], ['step', action]);
      assert.deepEqual([answered.done, answered.steps], [true, [step({ hint: 'right' }, 1, true)]]);
    });
  }

  for (const text of ['six', '', '6.5', '[6]']) {
    it(`tells the agent that ${JSON.stringify(text)} is no action, and asks the server nothing`, async () => {
      const server = new Scripted(guess, []);
      const episode = played(server);
      await episode.reset(task);
      const { messages, done, steps } = await episode.step(text);
      const error = 'The answer is no action. Answer with one JSON object; its fields: guess.';
      assert.deepEqual(messages, [{ role: 'user', content: `Error: ${error}` }]);
      assert.deepEqual([done, steps, server.asked.length], [false, [{ ...step({}), error }], 1]);
    });
  }

  it('reads and shows by the functions of the file', async () => {
    const server = new Scripted(guess, [step({ left: 5 }), step({ left: 4 }, 0.5)]);
    const episode = played(server, {
      observe: (observation, about) =>
        `${JSON.stringify(observation)} ${JSON.stringify(Reflect.get(Object(about), 'reward'))}`,
      act: (text) => (text === 'stop' ? null : text === '?' ? { reject: 'Say a number.' } : { guess: Number(text) }),
    });
    assert.deepEqual((await episode.reset(task)).messages, [{ role: 'user', content: '{"left":5} null' }]);
    assert.deepEqual((await episode.step('8')).messages, [{ role: 'user', content: '{"left":4} 0.5' }]);
    assert.deepEqual((await episode.step('?')).messages, [{ role: 'user', content: 'Error: Say a number.' }]);
    assert.deepEqual(await episode.step('stop'), { messages: [], done: true });
    assert.deepEqual(server.asked.slice(1), [['step', { guess: 8 }]]);
  });

  it('loses an attempt where a function of the file gives something else', async () => {
    const episode = played(new Scripted(guess, []), { act: () => 3 });
    await episode.reset(task);
    await assert.rejects(
      episode.step('x'),
      (error) =>
        EpisodeError.is(error) && /^“act” of game\.domain\.ts: it gave something else; it must/.test(error.message),
    );
  });

  const text = '<tool_call>{"name": "look_up", "arguments": {"item": "figs"}}</tool_call>';

  it('has calls of tools as steps where a server’s actions are calls', async () => {
    const result = { content: [{ type: 'text', text: 'four' }], is_error: false };
    const server = new Scripted(
      calling,
      [
        step({}),
        step({ tool_name: 'look_up', result, error: null }),
        step({ result: null, error: { message: 'no' } }, 0, true),
      ],
      [lookUp],
    );
    const episode = played(server);
    assert.deepEqual((await episode.reset(task)).tools, [lookUp]);
    const { messages, done } = await episode.step(`${text}\n${text}\n${text}`);
    assert.deepEqual(messages, [
      { role: 'tool', name: 'look_up', content: 'four' },
      { role: 'tool', name: 'look_up', content: 'Error: no' },
    ]);
    assert.equal(done, true);
    const action = { type: 'call_tool', tool_name: 'look_up', arguments: { item: 'figs' } };
    assert.deepEqual(server.asked.slice(1), [
      ['step', action],
      ['step', action],
    ]);
  });

  it('calls tools by MCP where actions are something else', async () => {
    const server = new Scripted(guess, [step({}), step({ tool_name: 'look_up', result: { four: 4 } })], [lookUp]);
    const episode = played(server);
    await episode.reset(task);
    const { messages } = await episode.step(text);
    assert.deepEqual(server.asked[1], ['call', 'look_up', { item: 'figs' }]);
    assert.deepEqual(messages, [{ role: 'tool', name: 'look_up', content: '{\n  "four": 4\n}' }]);
    await episode.step('7');
    assert.deepEqual(server.asked[2], ['step', { guess: 7 }]);
  });

  it('ends where an agent with tools alone calls none, and not where its call cannot be read', async () => {
    const episode = played(new Scripted(calling, [], [lookUp]));
    await episode.reset(task);
    const broken = await episode.step('<tool_call>{"name": "look_up"</tool_call>');
    assert.equal(broken.done, false);
    assert.match(broken.messages[0]?.content ?? '', /^Error: A call cannot be read/);
    assert.deepEqual(await episode.step('There are four.'), { messages: [], done: true });
  });

  it('loses an attempt that is over before it begins', async () => {
    await assert.rejects(
      played(new Scripted(guess, [step({}, 0, true)])).reset(task),
      (error) => EpisodeError.is(error) && error.message.includes('the reset {"seed":7} gave an episode that is over'),
    );
  });
});

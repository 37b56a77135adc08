/** Answers of another form than the protocol's, and reasons for their end that it does not name. */
import assert from 'node:assert/strict';
import { dialects } from '../../../../src/endpoints/openai/dialect.ts';
import { endOf } from '../../../../src/endpoints/openai/ended.ts';
import { Server } from '../../../../src/endpoints/openai/server.ts';
import { agreedKeys } from '../../../support/agreedKeys.ts';
import { openaiConnection } from '../../../../src/launch/policies/openaiClient.ts';
import { FastTime } from '../../../support/endpoints/fastTime.ts';
import { sendJson, TestServer, type Handler } from '../../../support/endpoints/httpServer.ts';
import { failure } from '../../../support/endpoints/meetings.ts';

const choice = { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'four' } };
const right = { choices: [choice] };
const asked = { messages: [{ role: 'user' as const, content: 'one' }], n: 1, seed: 1, maxTokens: 4, temperature: 1 };
const event = (part: object): string => `data: ${JSON.stringify(part)}\n\n`;
const said = (content: unknown): string => event({ choices: [{ index: 0, delta: { content } }] });

describe('an answer that cannot be read', () => {
  const closing: (() => Promise<void> | void)[] = [];
  const { signal } = new AbortController();

  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  async function open(handler: Handler) {
    const met = await TestServer.start(handler);
    closing.push(() => met.stop());
    const address = { root: met.url, api: '/v1' };
    const connection = openaiConnection(address, '${env:KEY}', agreedKeys({ KEY: 'sk-own-key' }), {
      time: new FastTime(100),
    });
    closing.push(() => connection.http.close());
    const server = new Server([connection], 'qwen', dialects.unknown);
    return { met, ask: (over = {}) => server.chat(0, { ...asked, ...over }, false, signal) };
  }

  for (const [field, content, came] of [
    ['choices.0.message.content', [{ type: 'text', text: 'four sk-own-key' }], '[{"type":"text","text":"four •••"}]'],
    ['choices.0.message.content', { long: 'x'.repeat(500) }, `{"long":"${'x'.repeat(71)}…`],
  ] as const) {
    it(`is bought twice, though others were read, and its field is named (${came.slice(0, 9)})`, async () => {
      const wrong = { ...choice, message: { role: 'assistant', content } };
      const { met, ask } = await open((response, _, count) =>
        sendJson(response, count === 1 ? right : { choices: [wrong] }),
      );
      await ask();
      const { reason, attempts, message } = await failure(ask());
      assert.deepEqual([reason, attempts, met.asked.length], ['malformed', 2, 3]);
      assert.ok(message.includes(` at ${field}: `) && message.includes(`(${came})`), message);
      assert.match(message, /This server answers in a form of its own/);
      assert.doesNotMatch(message, /sk-own-key/);
    });
  }

  it('is not taken with replacement characters for text in another encoding', async () => {
    const latin = Buffer.from(
      JSON.stringify({ choices: [{ ...choice, message: { role: 'assistant', content: 'ä' } }] }),
      'latin1',
    );
    const { met, ask } = await open((response, _, count) => {
      if (count === 1) response.writeHead(200, { 'content-type': 'application/json' }).end(latin);
      else sendJson(response, right);
    });
    assert.deepEqual(
      (await ask()).map(({ text }) => text),
      ['four'],
    );
    assert.equal(met.asked.length, 2);
  });

  it('is asked for again more often where no model wrote it', async () => {
    const { met, ask } = await open((response, _, count) =>
      sendJson(response, count <= 3 ? { error: { message: 'upstream is busy', code: 502 } } : right),
    );
    assert.deepEqual(
      (await ask()).map(({ text }) => text),
      ['four'],
    );
    assert.equal(met.asked.length, 4);
  });

  it('is bought twice as a stream, too, and one without a reason for its end is whole where it came to it', async () => {
    let events = [said('fo'), said('ur'), 'data: [DONE]\n\n'];
    const { met, ask } = await open((response, _, count) => {
      if (count > 1) response.writeHead(200, { 'content-type': 'text/event-stream' }).end(events.join(''));
      // The proxy in between waited, in this time, for a minute.
      else setTimeout(() => response.writeHead(524).end(), 600);
    });
    const [answer] = await ask();
    assert.deepEqual([answer?.text, answer?.ended], ['four', 'stop']);
    assert.equal(met.asked.length, 2);
    events = [said(['four']), 'data: [DONE]\n\n'];
    const { attempts, message } = await failure(ask());
    assert.equal(attempts, 2);
    assert.match(message, /at choices\.0\.delta\.content: .*\(\["four"\]\)/);
  });

  it('is cut where its length says so and its reason does not', async () => {
    let answer: object = { ...choice, finish_reason: null };
    let written = 4;
    const { ask } = await open((response) =>
      sendJson(response, { choices: [answer], usage: { prompt_tokens: 1, completion_tokens: written } }),
    );
    const end = async () => (await ask())[0]?.ended;
    assert.equal(await end(), 'length');
    written = 3;
    assert.equal(await end(), 'stop');
    answer = { ...choice, finish_reason: 'max_tokens' };
    assert.equal(await end(), 'length');
  });
});

describe('the end of an answer', () => {
  it('is known by the words of many servers', () => {
    for (const reason of ['stop', 'tool_calls', 'STOP', 'eos', 'end_turn', 'stop_sequence'])
      assert.equal(endOf(reason, 8, 8), 'stop', reason);
    for (const reason of ['length', 'max_tokens', 'MAX_TOKENS', 'model_length']) {
      assert.equal(endOf(reason, 3, 8), 'length', reason);
    }
    for (const reason of ['content_filter', 'abort', 'error', 'SAFETY', 'insufficient_system_resource']) {
      assert.equal(endOf(reason, 3, 8), reason);
    }
  });

  it('is by itself with any other word or none, unless it has all its tokens', () => {
    for (const reason of ['done', 'completed', '', null, undefined]) {
      assert.deepEqual([endOf(reason, 7, 8), endOf(reason, 8, 8), endOf(reason, null, 8)], ['stop', 'length', 'stop']);
    }
  });
});

/** How long answers are waited for: long ones must arrive, and a server that hangs must be left. */
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import * as z from 'zod';
import { dialects } from '../../../../src/endpoints/openai/dialect.ts';
import { Server, type Answer } from '../../../../src/endpoints/openai/server.ts';
import type { Cancel } from '../../../../src/endpoints/time.ts';
import { environmentKeys } from '../../../../src/launch/access/keys.ts';
import { openaiConnection } from '../../../../src/launch/policies/openaiClient.ts';
import { sendJson, TestServer, type Handler } from '../../../support/endpoints/httpServer.ts';
import { ManualTime } from '../../../support/endpoints/manualTime.ts';
import { failure } from '../../../support/endpoints/meetings.ts';

const minute = 60_000;
const tokens = 65_536;
const message = { role: 'assistant', content: 'four' };
const right = { choices: [{ index: 0, finish_reason: 'stop', message }] };
const bodySchema = z.object({ stream: z.boolean().default(false) });
const event = (choice: object): string => `data: ${JSON.stringify({ choices: [{ index: 0, ...choice }] })}\n\n`;

class CountedTime extends ManualTime {
  /** Timers so far. */
  set = 0;

  override after(milliseconds: number, ring: () => void): Cancel {
    this.set += 1;
    return super.after(milliseconds, ring);
  }
}

describe('a long answer', () => {
  const closing: (() => Promise<void> | void)[] = [];
  let time = new CountedTime();
  let server: TestServer | null = null;

  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  async function ask(handler: Handler, maxTokens = tokens): Promise<{ answers: Promise<Answer[]> }> {
    time = new CountedTime();
    const met = await TestServer.start(handler);
    server = met;
    closing.push(() => met.stop());
    const connection = openaiConnection({ root: met.url, api: '/v1' }, null, environmentKeys({}), { time });
    closing.push(() => connection.http.close());
    const asked = { messages: [{ role: 'user' as const, content: 'one' }], n: 1, seed: 1, maxTokens, temperature: 1 };
    const { signal } = new AbortController();
    return { answers: new Server([connection], 'qwen', dialects.unknown).chat(0, asked, false, signal) };
  }

  const streamed = () => server?.asked.map(({ body }) => bodySchema.parse(JSON.parse(body)).stream);
  const askedFor = (count: number) => time.until(() => server?.asked.length === count);

  it('arrives after 36 minutes in which nothing came, since it may have 65,536 tokens', async () => {
    const held: ServerResponse[] = [];
    const { answers } = await ask((opened) => held.push(opened));
    await askedFor(1);
    time.pass(36 * minute);
    sendJson(held[0] ?? assert.fail(), right);
    assert.deepEqual(
      (await answers).map(({ text }) => text),
      ['four'],
    );
    assert.equal(server?.asked.length, 1);
  });

  it('arrives as a stream however long it takes, while some of it comes every few minutes', async () => {
    const held: ServerResponse[] = [];
    const { answers } = await ask((opened, _, count) => {
      if (count === 1) opened.writeHead(524).end();
      else held.push(opened.writeHead(200, { 'content-type': 'text/event-stream' }));
      if (count === 1) time.pass(2 * minute);
    });
    await time.passWait(300, 600);
    await askedFor(2);
    assert.deepEqual(streamed(), [false, true]);
    const stream = held[0] ?? assert.fail();
    for (let i = 0; i < 12; i++) {
      // It was read once the limit of silence is set anew.
      const { set } = time;
      stream.write(event({ delta: { content: 'a' } }));
      await time.until(() => time.set > set);
      time.pass(9 * minute);
    }
    stream.end(`${event({ delta: {}, finish_reason: 'stop' })}data: [DONE]\n\n`);
    assert.deepEqual(
      (await answers).map(({ text }) => text),
      ['a'.repeat(12)],
    );
  });

  it('is not bought again and again from a server that hangs: once whole, once as a stream', async () => {
    const { answers } = await ask(() => undefined);
    const failed = failure(answers);
    await askedFor(1);
    time.pass(10 * minute);
    assert.equal(server?.asked.length, 1, 'it may take longer');
    time.pass(110 * minute);
    await time.passWait(300, 600);
    await askedFor(2);
    assert.deepEqual(streamed(), [false, true]);
    time.pass(10 * minute);
    const { reason, attempts, message: said } = await failed;
    assert.deepEqual([reason, attempts], ['unreachable', 2]);
    assert.match(said, /no answer within 600 s.*A stream may be silent for 10 minutes.*65536 tokens.*Lower maxTokens/);
  });

  it('has as much time as it needs and no more where it is short', async () => {
    const { answers } = await ask(() => undefined, 10);
    const failed = failure(answers);
    await askedFor(1);
    time.pass(10 * minute + 1000);
    await time.passWait(300, 600);
    await askedFor(2);
    time.pass(10 * minute);
    assert.equal((await failed).attempts, 2);
  });

  it('is asked for as a stream where something closed the silent connection after minutes', async () => {
    const { answers } = await ask((response, _, count) => {
      if (count > 1) {
        sendJson(response, right);
        return;
      }
      time.pass(6 * minute);
      response.socket?.destroy();
    });
    await time.passWait(300, 600);
    assert.equal((await answers).length, 1);
    assert.deepEqual(streamed(), [false, true]);
  });

  it('is asked for whole again where a server went away at once', async () => {
    const { answers } = await ask((response, _, count) => {
      if (count > 1) sendJson(response, right);
      else response.socket?.destroy();
    });
    await time.passWait(300, 600);
    assert.equal((await answers).length, 1);
    assert.deepEqual(streamed(), [false, false]);
  });
});

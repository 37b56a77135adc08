import assert from 'node:assert/strict';
import { EndpointError } from '../../../../src/endpoints/endpointError.ts';
import { NodeHttpClient } from '../../../../src/endpoints/http/nodeHttpClient.ts';
import { OpenenvServer, type Begun, type OpenenvOptions } from '../../../../src/endpoints/openenv/openenvServer.ts';
import type { Time } from '../../../../src/endpoints/time.ts';
import { EpisodeError } from '../../../../src/engine/errors.ts';
import { FakeOpenenv, observed } from '../../../support/openenv/fakeOpenenv.ts';
import { until } from '../../../support/until.ts';

/** A hundred times as fast: waits and patience keep their order. */
const time: Time = {
  now: () => performance.now() * 100,
  after(milliseconds, ring) {
    const timer = setTimeout(ring, milliseconds / 100);
    return () => clearTimeout(timer);
  },
};

describe('an OpenEnv server', function () {
  this.timeout(60_000);
  let fake: FakeOpenenv;
  let opened: OpenenvServer[] = [];
  const { signal } = new AbortController();
  beforeEach(async () => {
    fake = new FakeOpenenv();
    opened = [];
    await fake.start();
  });
  afterEach(async () => {
    await Promise.all(opened.map((server) => server.close()));
    await fake.stop();
  });

  async function open(over: Partial<OpenenvOptions> = {}): Promise<OpenenvServer> {
    const http = new NodeHttpClient({ url: fake.url, time, tries: 3 });
    const options = { sessions: 64, patience: 1_000_000, largest: 100_000, time, random: () => 0 };
    const server = await OpenenvServer.open(
      { http, credentials: () => Promise.resolve({}), ...options, ...over },
      signal,
    );
    opened.push(server);
    return server;
  }

  async function play({ session }: Begun): Promise<number> {
    let steps = 0;
    for (let done = false; !done; steps++) ({ done } = await session.step({ add: 1 }));
    await session.close();
    return steps;
  }

  const isEpisode =
    (words: RegExp) =>
    (error: unknown): boolean => {
      assert.ok(EpisodeError.is(error), String(error));
      assert.match(error.message, words);
      assert.ok(error.message.startsWith(fake.url));
      return true;
    };

  it('plays an episode with the reset that it is given', async () => {
    const server = await open();
    assert.equal(server.metadata?.name, 'counter');
    const begun = await server.begin({ seed: 7, level: 'hard' }, signal);
    assert.deepEqual(begun.first, { observation: { total: 0 }, reward: null, done: false });
    assert.deepEqual(await begun.session.tools(), []);
    assert.equal(await play(begun), 3);
    assert.deepEqual(fake.resets, [{ seed: 7, level: 'hard' }]);
    assert.equal(server.held, 0);
  });

  it('holds no more sessions than it may', async () => {
    const server = await open({ sessions: 5 });
    const episodes = Array.from({ length: 40 }, async () => play(await server.begin({}, signal)));
    await Promise.all(episodes);
    assert.deepEqual([fake.most, fake.refusals, fake.open], [5, 0, 0]);
  });

  it('holds no more sessions than the server allows, once it has said so, and keeps them all busy', async () => {
    fake.sessions = 4;
    const server = await open();
    const episodes = Array.from({ length: 60 }, async () => play(await server.begin({}, signal)));
    assert.deepEqual(new Set(await Promise.all(episodes)), new Set([3]));
    assert.equal(server.allowed, 4);
    assert.equal(fake.most, 4);
    // The first burst alone asks for more than there are.
    assert.ok(fake.refusals <= 64, `${fake.refusals} refusals`);
  });

  it('waits for what others hold, and has it when they leave', async () => {
    fake.sessions = 1;
    fake.taken = 1;
    const server = await open();
    const begun = server.begin({}, signal);
    await until('three refusals', () => fake.refusals >= 3);
    fake.taken = 0;
    assert.equal(await play(await begun), 3);
  });

  it('says so where others never leave', async () => {
    fake.sessions = 1;
    fake.taken = 1;
    fake.tells = false;
    const server = await open();
    await assert.rejects(server.begin({}, signal), (error) => {
      assert.ok(EndpointError.is(error, 'overloaded'), String(error));
      assert.match(
        error.message,
        /every session of the server is taken by others after 10 attempts\. .*max_concurrent/,
      );
      return true;
    });
  });

  it('ends a wait when it is told to', async () => {
    const server = await open({ sessions: 1 });
    const first = await server.begin({}, signal);
    const ending = new AbortController();
    const waiting = server.begin({}, ending.signal);
    ending.abort(new Error('enough'));
    await assert.rejects(waiting, /enough/);
    await play(first);
    assert.equal(await play(await server.begin({}, signal)), 3);
  });

  const badSessions: Readonly<Record<string, [FakeOpenenv['says'], RegExp]>> = {
    'dies in the middle': [
      ({ type }, { socket }) => type === 'step' && socket.destroy().destroyed,
      /: step: the connection ended\. See the server’s own log\.$/,
    ],
    'says why it dies': [
      ({ type }, { socket }) => type === 'step' && socket.end(farewell).writableEnded,
      /: step: it ended the connection \(1011: end\)\./,
    ],
    'sends no JSON': [
      ({ type }, { send }) => type === 'step' && send('<html>busy</html>'),
      /: step: what it sent is no JSON: <html>busy<\/html>\./,
    ],
    'sends JSON of another form': [
      ({ type }, { send }) => type === 'step' && send('{"type":"observation","data":{"total":3}}'),
      /: step: its message is not as OpenEnv has it at “data\.observation”\. Check with genenv doctor/,
    ],
    'answers something else': [
      ({ type }, { send }) => type === 'step' && send('{"type":"mcp","data":{}}'),
      /: step: it answered with “mcp”\./,
    ],
    'sends too much': [
      ({ type }, { send }) => type === 'step' && send(observed(1).padEnd(200_000)),
      /: step: a message of more than 100000 bytes\. Have it send less, or raise “openenv\.megabytes”\.$/,
    ],
    'sends no WebSocket any more': [
      ({ type }, { socket }) => type === 'step' && socket.write('HTTP/1.1 200 OK\r\n\r\n'),
      /: step: what it sent is /,
    ],
    'never stops': [
      ({ type }, { send }) => {
        if (type !== 'step') return false;
        for (let i = 0; i < 100; i++) send(observed(1));
        return true;
      },
      /: step: what it sent is messages without a question\./,
    ],
    'loses the session': [
      ({ type }, { send }) => type === 'step' && send(error('SESSION_ERROR', 'gone')),
      /: step: SESSION_ERROR: gone\./,
    ],
  };
  for (const [name, [says, words]] of Object.entries(badSessions)) {
    it(`loses one episode alone where it ${name}`, async () => {
      fake.says = says;
      const server = await open({ sessions: 1 });
      const { session } = await server.begin({}, signal);
      await assert.rejects(async () => {
        for (;;) await session.step({ add: 0 });
      }, isEpisode(words));
      await session.close();
      fake.says = () => false;
      assert.equal(await play(await server.begin({}, signal)), 3);
    });
  }

  it('waits for an answer as long as it may', async () => {
    fake.says = ({ type }) => type === 'step';
    const server = await open({ patience: 5000 });
    const { session } = await server.begin({}, signal);
    await assert.rejects(
      session.step({ add: 1 }),
      isEpisode(/: step: no answer within 5 s\. Give it more time in “openenv\.seconds”/),
    );
  });

  for (const code of ['VALIDATION_ERROR', 'EXECUTION_ERROR']) {
    it(`tells the agent of a ${code}, and goes on`, async () => {
      const server = await open();
      const begun = await server.begin({}, signal);
      const errors = [{ loc: ['add'], msg: 'Field required' }];
      fake.says = (_, { send }) => send(error(code, 'Invalid message', { errors }));
      assert.deepEqual(await begun.session.step({ sub: 1 }), {
        ...{ observation: {}, reward: null, done: false },
        error: 'Invalid message: add: Field required',
      });
      fake.says = () => false;
      assert.equal(await play(begun), 3);
    });
  }

  it('loses an episode whose reset is refused, or makes no environment', async () => {
    const server = await open();
    fake.says = ({ type }, { send }) => type === 'reset' && send(error('EXECUTION_ERROR', 'no such level'));
    await assert.rejects(server.begin({ level: 99 }, signal), isEpisode(/: reset: EXECUTION_ERROR: no such level\./));
    fake.says = ({ type }, { send }) => type === 'reset' && send(error('FACTORY_ERROR', 'no memory'));
    await assert.rejects(server.begin({}, signal), isEpisode(/: reset: FACTORY_ERROR: no memory\./));
    fake.says = ({ type }, { socket }) => type === 'reset' && socket.destroy().destroyed;
    await assert.rejects(server.begin({}, signal), isEpisode(/: reset: the connection ended\./));
    fake.says = () => false;
    assert.equal(await play(await server.begin({}, signal)), 3);
  });

  it('begins no episode on another environment', async () => {
    const server = await open();
    fake.field = 'plus';
    await assert.rejects(server.begin({}, signal), isEpisode(/schema .* is no longer what it was/));
    fake.field = 'add';
    assert.equal(await play(await server.begin({}, signal)), 3);
  });

  it('is asked for its schema once for as long as a session is open, and again when it may be another', async () => {
    const server = await open();
    const [held, ...others] = await Promise.all(Array.from({ length: 20 }, () => server.begin({}, signal)));
    for (const begun of others) assert.equal(await play(begun), 3);
    for (let i = 0; i < 20; i++) assert.equal(await play(await server.begin({}, signal)), 3);
    assert.equal(fake.schemas, 2, 'when it was opened, and with the first sessions');
    // As when it is started anew: what was open is gone, before anyone asks.
    fake.field = 'plus';
    fake.drop();
    await until('the session to be over', () => fake.open === 0);
    await assert.rejects(server.begin({}, signal), isEpisode(/schema .* is no longer what it was/));
    assert.equal(fake.schemas, 3);
    fake.field = 'add';
    await held?.session.close();
    assert.equal(await play(await server.begin({}, signal)), 3);
    assert.equal(await play(await server.begin({}, signal)), 3);
    assert.equal(fake.schemas, 5, 'none was open in between');
  });

  it('says what is missing where there are no sessions', async () => {
    fake.noSockets = 403;
    const server = await open();
    await assert.rejects(server.begin({}, signal), (error) => {
      assert.ok(EndpointError.is(error, 'refused'));
      assert.match(error.message, /it has no sessions at \/ws \(status 403\)\. Serve the environment with a version/);
      return true;
    });
  });

  it('counts a server that is away as away, after some tries', async () => {
    const server = await open();
    await fake.stop();
    await assert.rejects(server.begin({}, signal), (error) => EndpointError.is(error, 'unreachable'));
    await fake.start();
  });

  it('reads tools as either spelling has them', async () => {
    const tools = [
      { name: 'one', description: 'First.', inputSchema: { type: 'object', properties: { a: { type: 'string' } } } },
      { name: 'two', input_schema: { type: 'object' } },
    ];
    fake.says = ({ type }, { send }) =>
      type === 'mcp' && send(JSON.stringify({ type: 'mcp', data: { result: { tools } } }));
    const { session } = await (await open()).begin({}, signal);
    assert.deepEqual(await session.tools(), [
      { name: 'one', description: 'First.', parameters: tools[0]?.inputSchema },
      { name: 'two', description: '', parameters: { type: 'object' } },
    ]);
  });

  it('closes its sessions with itself', async () => {
    const server = await open();
    await Promise.all([server.begin({}, signal), server.begin({}, signal)]);
    assert.equal(fake.open, 2);
    await server.close();
    await until('no session to be open', () => fake.open === 0);
  });
});

/** Ended with a reason: “end”. */
const farewell = Buffer.from([0x88, 0x05, 0x03, 0xf3, 0x65, 0x6e, 0x64]);

const error = (code: string, message: string, more: object = {}): string =>
  JSON.stringify({ type: 'error', data: { code, message, ...more } });

import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { textFetcher } from '../../../../src/endpoints/tokens/fetchText.ts';
import { readTokenizer } from '../../../../src/endpoints/tokens/tokenizerFiles.ts';
import { TokensError } from '../../../../src/endpoints/tokens/tokensError.ts';
import { FastTime } from '../../../support/endpoints/fastTime.ts';
import { sendJson, TestServer, type Handler } from '../../../support/endpoints/httpServer.ts';
import { spoiling, spoilt } from '../../../support/endpoints/spoilt.ts';

const fetchText = textFetcher({ time: new FastTime(1000) });
/** Where all goes well there is nothing to wait for, and a busy machine may take its time. */
const patientFetch = textFetcher({ time: new FastTime(10) });
const files: Readonly<Record<string, unknown>> = {
  '/m/tokenizer.json': { model: { type: 'BPE' } },
  '/m/tokenizer_config.json': { tokenizer_class: 'T', chat_template: '{{ messages }}' },
};

const answer: Handler = (response, { path }) => {
  if (path in files) sendJson(response, files[path]);
  else response.writeHead(404).end('Entry not found');
};

describe('tokenizer files of an address', () => {
  let server: TestServer | null = null;
  let cache = '';

  beforeEach(async () => {
    cache = await mkdtemp(join(tmpdir(), 'genenv-tokens-'));
  });
  afterEach(async () => {
    await server?.stop();
    await rm(cache, { recursive: true });
  });

  it('are asked for again however they were spoilt, and nothing spoilt is kept', async () => {
    // A 404 is how a server says that it has no such file, and a model may have no template of its own.
    const kinds = Object.entries(spoilt).filter(([name]) => !name.includes('not found'));
    for (const [name, how] of kinds) {
      server = await TestServer.start(spoiling(how, 2, answer));
      for (const time of ['fetched', 'kept']) {
        const read = await readTokenizer(`${server.url}/m`, join(cache, name), fetchText);
        assert.deepEqual(read.tokenizer, files['/m/tokenizer.json'], `${name}, ${time}`);
        assert.equal(read.template, '{{ messages }}', `${name}, ${time}`);
      }
      await server.stop();
    }
  });

  it('are kept once where agent and environment read them at the same moment', async () => {
    server = await TestServer.start(answer);
    const { url } = server;
    const all = await Promise.all(Array.from({ length: 16 }, () => readTokenizer(`${url}/m`, cache, patientFetch)));
    for (const read of all) assert.deepEqual(read.tokenizer, files['/m/tokenizer.json']);
    const [folder = ''] = await readdir(cache);
    assert.deepEqual((await readdir(join(cache, folder))).sort(), ['tokenizer.json', 'tokenizer_config.json']);
  });

  it('may be somewhere else, and are told when they are nowhere', async () => {
    server = await TestServer.start((response, { path }, count) => {
      if (path.startsWith('/hub')) response.writeHead(302, { location: `${path.slice(4)}?signed=a%20b` }).end();
      else if (path.startsWith('/round')) response.writeHead(302, { location: '/round' }).end();
      else answer(response, { path: path.split('?')[0] ?? '', method: 'GET', headers: {}, body: '' }, count);
    });
    const { url } = server;
    assert.match((await fetchText(`${url}/hub/m/tokenizer.json`, () => null)) ?? '', /BPE/);
    assert.equal(await fetchText(`${url}/hub/none`, () => null), null);
    await assert.rejects(
      fetchText(`${url}/round`, () => null),
      /redirected more than 10 times/,
    );
    await assert.rejects(
      fetchText(`${url}/m/tokenizer.json`, () => 'it is not mine'),
      (error) => TokensError.is(error, 'missing') && /it is not mine/.test(error.message),
    );
  });
});

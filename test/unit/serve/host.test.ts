import assert from 'node:assert/strict';
import { request } from 'node:http';
import { checkHost, type Listening } from '../../../src/serve/http/host.ts';
import { Refusal } from '../../../src/serve/http/refusal.ts';
import { TestServer } from '../../support/serve/testServer.ts';

const takes = (header: string | undefined, listening: Partial<Listening> = {}): boolean => {
  try {
    checkHost(header, { host: '127.0.0.1', names: [], ...listening });
    return true;
  } catch (error) {
    assert.ok(error instanceof Refusal && error.status === 421, String(error));
    return false;
  }
};

describe('whom a request is meant for', () => {
  it('is this machine, by its address, localhost or a name that was allowed', () => {
    for (const host of ['127.0.0.1', '127.0.0.1:8787', 'localhost', 'LocalHost.:9', '[::1]:8787', '127.0.0.2']) {
      assert.ok(takes(host), host);
    }
    assert.ok(takes('10.0.0.5:9000', { host: '10.0.0.5' }));
    assert.ok(takes('10.0.0.5:9000', { host: '0.0.0.0' }));
    assert.ok(takes('[2001:db8::1]:9000', { host: '::' }));
    assert.ok(takes('GPUbox:9000', { host: '0.0.0.0', names: ['gpubox'] }));
    assert.ok(takes('gpubox.lab', { host: 'gpubox.lab' }));
  });

  it('is nothing else, whatever it resolves to', () => {
    const others = [
      'evil.example',
      'evil.example:8787',
      'localhost.evil.example',
      '127.0.0.1.evil.example',
      '10.0.0.5',
    ];
    for (const host of [...others, '', undefined, 'localhost@evil.example', '127.0.0.1:8787, evil', 'a b', '[evil]']) {
      assert.equal(takes(host), false, host);
    }
    assert.equal(takes('evil.example', { host: '0.0.0.0', names: ['gpubox'] }), false);
    assert.equal(takes('10.0.0.6', { host: '10.0.0.5' }), false);
  });

  it('is asked for by the server, open calls included', async () => {
    const server = new TestServer();
    await server.start({ names: ['gpubox'] });
    const get = (path: string, host: string): Promise<{ status: number | undefined; body: string }> =>
      new Promise((resolve, reject) => {
        request(new URL(path, server.server.url), { headers: { host } }, (response) => {
          let body = '';
          response.setEncoding('utf8').on('data', (text: string) => (body += text));
          response.on('end', () => resolve({ status: response.statusCode, body }));
        })
          .on('error', reject)
          .end();
      });
    try {
      for (const path of ['/api/v1/sessions', '/api/v1/healthz', '/v1/models']) {
        const { status, body } = await get(path, 'rebound.example:8787');
        assert.equal(status, 421, path);
        assert.match(body, /not known as .*rebound\.example.*--allow-host NAME/);
        assert.equal((await get(path, 'gpubox:8787')).status, 200, path);
      }
    } finally {
      await server.stop();
    }
  });
});

import assert from 'node:assert/strict';
import { covers, permitsFor, readPermit, staysHere, writtenPermit } from '../../../src/launch/access/permit.ts';
import { originOf } from '../../../src/shared/experiment/endpoints/origins.ts';

const key = '${env:OPENAI_API_KEY}';

describe('what a person allows to be sent', () => {
  it('belongs to an origin: scheme, host and port, without path, query and password', () => {
    assert.equal(originOf('https://api.openai.com:443/v1?x=1'), 'https://api.openai.com');
    assert.equal(originOf('http://user:pass@gpu-box:8000/v1'), 'http://gpu-box:8000');
    assert.equal(originOf('ssh://me@far:2222'), 'ssh://me@far:2222');
    assert.notEqual(originOf('ssh://me@far'), originOf('ssh://you@far'));
    assert.notEqual(originOf('http://gpu:1'), originOf('https://gpu:1'));
  });

  it('holds for the same key and origin, and for requests without a key there', () => {
    const origin = 'https://api.openai.com';
    const permits = [{ key, origin }];
    assert.equal(covers(permits, { key, origin }), true);
    assert.equal(covers(permits, { key: null, origin }), true);
    assert.equal(covers(permits, { key: '${env:AWS_SECRET_ACCESS_KEY}', origin }), false);
    assert.equal(covers(permits, { key: '${secret:OPENAI_API_KEY}', origin }), false);
    assert.equal(covers(permits, { key, origin: 'https://api.openai.com.evil.example' }), false);
    assert.equal(covers([{ key: null, origin }], { key, origin }), false);
  });

  it('is not needed on this machine, unless a key is sent', () => {
    for (const url of [
      'http://localhost:8000',
      'http://127.0.0.1:1/v1',
      'http://127.8.9.1',
      'http://[::1]:8000',
      'local:',
    ]) {
      assert.equal(staysHere({ key: null, origin: originOf(url) }), true, url);
      assert.equal(staysHere({ key, origin: originOf(url) }), false, url);
    }
    for (const url of [
      'http://127.0.0.1.evil.example',
      'http://localhost.evil.example',
      'http://10.0.0.1',
      'ssh://localhost',
    ]) {
      assert.equal(staysHere({ key: null, origin: originOf(url) }), false, url);
    }
  });

  it('is read from words and written as them', () => {
    for (const [text, permit] of [
      ['OPENAI_API_KEY@https://api.openai.com', { key, origin: 'https://api.openai.com' }],
      ['secret:my-gpu@http://gpu:8000', { key: '${secret:my-gpu}', origin: 'http://gpu:8000' }],
      ['http://gpu:8000', { key: null, origin: 'http://gpu:8000' }],
      ['ssh://me@far', { key: null, origin: 'ssh://me@far' }],
    ] as const) {
      assert.deepEqual(readPermit(text), permit);
      assert.equal(writtenPermit(permit), text);
    }
    assert.deepEqual(readPermit('env:A@http://gpu:8000/v1'), { key: '${env:A}', origin: 'http://gpu:8000' });
    for (const text of [
      '',
      'gpu:8000',
      'A@gpu',
      'file:///etc',
      'http://',
      'my key@http://gpu',
      'A@',
      'sk-a1@https://x.y',
    ]) {
      assert.equal(readPermit(text), null, text);
    }
  });

  it('is one permit an address of a field', () => {
    assert.deepEqual(permitsFor('http://a:1/v1, http://b:2/v1', null), [
      { key: null, origin: 'http://a:1' },
      { key: null, origin: 'http://b:2' },
    ]);
  });
});

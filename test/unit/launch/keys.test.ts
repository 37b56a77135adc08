import assert from 'node:assert/strict';
import { authorization, environmentKeys, KeyError, proofFor } from '../../../src/launch/access/keys.ts';

const url = 'https://gpu.example/v1';
const origin = 'https://gpu.example';
const permitted = ['${env:TOKEN}', '${secret:my-gpu}', '${env:ABSENT}', '${env:EMPTY}', '${secret:other}'];
const keys = environmentKeys(
  { TOKEN: 'one', GENENV_SECRET_MY_GPU: 'two', EMPTY: '', AWS_SECRET_ACCESS_KEY: 'aws' },
  permitted.map((key) => ({ key, origin })),
);

describe('keys of endpoints on a command line', () => {
  it('come from the environment, secrets by a name of ours', async () => {
    assert.equal(await keys.find('${env:TOKEN}', url), 'one');
    assert.equal(await keys.find('${secret:my-gpu}', url), 'two');
  });

  it('that are missing are told by the name of their variable', async () => {
    for (const [reference, name] of [
      ['${env:ABSENT}', 'ABSENT'],
      ['${env:EMPTY}', 'EMPTY'],
      ['${secret:other}', 'GENENV_SECRET_OTHER'],
    ] as const) {
      await assert.rejects(
        keys.find(reference, url),
        (error) => KeyError.is(error, 'missing') && error.message.includes(name),
      );
    }
  });

  it('written out are refused and not repeated', async () => {
    await assert.rejects(
      keys.find('tml-secret', url),
      (error) => KeyError.is(error) && !error.message.includes('tml-secret'),
    );
  });

  it('go nowhere because a file says so: not to another address, and no other variable to this one', async () => {
    for (const [reference, to] of [
      ['${env:TOKEN}', 'https://evil.example/v1'],
      ['${env:TOKEN}', 'http://gpu.example/v1'],
      ['${env:TOKEN}', 'http://127.0.0.1:8000'],
      ['${env:AWS_SECRET_ACCESS_KEY}', url],
    ] as const) {
      await assert.rejects(
        keys.find(reference, to),
        (error) => KeyError.is(error, 'not-allowed') && /genenv allow \w+@http/.test(error.remedy),
      );
    }
    await assert.rejects(keys.reach('https://evil.example'), (error) => KeyError.is(error, 'not-allowed'));
    // A host may be called so; what is advised for it is still one word.
    await assert.rejects(
      keys.reach('http://$(touch${IFS}x);`y`/v1'),
      (error) =>
        KeyError.is(error, 'not-allowed') && error.remedy.endsWith("genenv allow 'http://$(touch${ifs}x);`y`'"),
    );
    await keys.reach(url);
    await keys.reach('http://127.0.0.1:8000/v1');
  });

  it('are proofs of a client: nothing is sent before it may be', async () => {
    const refused = proofFor(keys, { key: null, url: 'http://10.0.0.9' }, authorization);
    await assert.rejects(refused(), (error) => KeyError.is(error, 'not-allowed'));
    assert.deepEqual(await proofFor(keys, { key: null, url }, authorization)(), {});
    assert.deepEqual(await proofFor(keys, { key: '${env:TOKEN}', url }, authorization)(), {
      authorization: 'Bearer one',
    });
    assert.deepEqual(authorization('Basic dXNlcjpwdw=='), { authorization: 'Basic dXNlcjpwdw==' });
  });
});

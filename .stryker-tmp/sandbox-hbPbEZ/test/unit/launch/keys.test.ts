import assert from 'node:assert/strict';
import { environmentKeys, KeyError } from '../../../src/launch/keys.ts';

const keys = environmentKeys({ TOKEN: 'one', GENENV_SECRET_MY_GPU: 'two', EMPTY: '' });

describe('keys of endpoints on a command line', () => {
  it('come from the environment, secrets by a name of ours', async () => {
    assert.equal(await keys.find('${env:TOKEN}'), 'one');
    assert.equal(await keys.find('${secret:my-gpu}'), 'two');
  });

  it('that are missing are told by the name of their variable', async () => {
    for (const [reference, name] of [
      ['${env:ABSENT}', 'ABSENT'],
      ['${env:EMPTY}', 'EMPTY'],
      ['${secret:other}', 'GENENV_SECRET_OTHER'],
    ] as const) {
      await assert.rejects(keys.find(reference), (error) => KeyError.is(error) && error.message.includes(name));
    }
  });

  it('written out are refused and not repeated', async () => {
    await assert.rejects(
      keys.find('tml-secret'),
      (error) => KeyError.is(error) && !error.message.includes('tml-secret'),
    );
  });
});

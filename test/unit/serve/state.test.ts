import assert from 'node:assert/strict';
import { EmbeddedError } from '../../../src/endpoints/embedded/errors.ts';
import { Refusal } from '../../../src/serve/http/refusal.ts';
import { Futures, jsonOnly, type Future } from '../../../src/serve/state/futures.ts';
import { isCheckpointName, parseTinkerPath } from '../../../src/serve/state/ids.ts';
import { Sessions } from '../../../src/serve/state/sessions.ts';

const isStatus = (status: number) => (error: unknown) => error instanceof Refusal && error.status === status;

describe('what a server remembers', () => {
  it('keeps a result for half an hour after it was asked for', async () => {
    let now = 0;
    const futures = new Futures(() => now, '0123abcd');
    const { id, settled } = futures.submit(['k'], {}, () => ({ run: () => Promise.resolve(jsonOnly(1)) }));
    await settled;
    for (let i = 0; i < 3; i++) {
      now += 29 * 60_000;
      futures.sweep();
      futures.find(id);
    }
    now += 31 * 60_000;
    futures.sweep();
    assert.throws(() => futures.find(id), isStatus(410));
  });

  it('never lets go of what is not done', () => {
    let now = 0;
    const futures = new Futures(() => now, '0123abcd');
    const { id } = futures.submit([], {}, () => ({ run: () => new Promise<never>(() => undefined) }));
    now += 10 * 3_600_000;
    futures.sweep();
    assert.equal(futures.find(id).state().kind, 'pending');
  });

  it('samples anew where it was itself at fault, and repeats a failure that was the client’s', async () => {
    const futures = new Futures(() => 0, '0123abcd');
    const submit = async (key: string, error: Error, samples: number): Promise<Future> => {
      const future = futures.submit([key], {}, () => ({ run: () => Promise.reject(error), samples }));
      await future.settled;
      return future;
    };
    const own = new EmbeddedError('worker', 'died');
    assert.notEqual(await submit('a', own, 1), await submit('a', own, 1));
    assert.equal(await submit('b', own, 0), await submit('b', own, 0));
    const yours = new EmbeddedError('request', 'wrong');
    assert.equal(await submit('c', yours, 1), await submit('c', yours, 1));
  });

  it('ends sessions that nobody keeps alive', async () => {
    let now = 0;
    const sessions = new Sessions(() => now, 1000);
    sessions.begin('a');
    sessions.begin('b');
    now = 900;
    sessions.find('a');
    now = 1500;
    assert.deepEqual(await sessions.sweep(), []);
    assert.deepEqual(sessions.ids, ['a']);
    assert.throws(() => sessions.find('b'), isStatus(404));
  });

  it('reads paths of checkpoints, and nothing else', () => {
    const path = { run: 's:train:0', kind: 'weights', name: 'step-1' };
    assert.deepEqual(parseTinkerPath('tinker://s:train:0/weights/step-1'), path);
    for (const text of ['tinker://a/b/c', 'tinker://a/weights', 'tinker://a/weights/x/y', 'file://a/weights/x', '']) {
      assert.equal(parseTinkerPath(text), null, text);
    }
    assert.equal(parseTinkerPath('tinker://a/weights/..'), null);
    assert.equal(isCheckpointName('../x'), false);
  });
});

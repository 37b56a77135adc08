import assert from 'node:assert/strict';
import { activeInterpreter } from '../../../src/features/rewards/host/activeInterpreter.ts';

describe('the interpreter of the Python extension', () => {
  const environments = {
    active: { id: 'a', path: '/envs/a' },
    known: new Map([['/envs/a', { executable: { uri: { fsPath: '/envs/a/bin/python' }, bitness: '64-bit' } }]]),
    getActiveEnvironmentPath(): unknown {
      return this.active;
    },
    resolveEnvironment({ path }: { path: string }): Promise<unknown> {
      return Promise.resolve(this.known.get(path));
    },
  };

  it('is the executable of what is chosen there', async () => {
    assert.equal(await activeInterpreter({ environments }), '/envs/a/bin/python');
  });

  it('is none where nothing is chosen, nothing known of it, or the extension another one', async () => {
    assert.equal(await activeInterpreter({ environments: { ...environments, active: undefined } }), null);
    assert.equal(await activeInterpreter({ environments: { ...environments, known: new Map() } }), null);
    assert.equal(await activeInterpreter({ environments: { resolveEnvironment: 1 } }), null);
    assert.equal(await activeInterpreter(undefined), null);
  });
});

import assert from 'node:assert/strict';
import { hasServerSaves } from '../../../src/host/runs/serverSaves.ts';
import { presets } from '../../../src/shared/experiment/presets.ts';
import { resolveExperiment } from '../../../src/shared/experiment/resolve.ts';

describe('a run that is about to be deleted', () => {
  const { endpoints: local } = presets.embedded;
  const { endpoints } = resolveExperiment({
    ...{ name: 'one', preset: 'default' },
    endpoints: { agent: { kind: 'tinker', url: 'http://127.0.0.1:9', model: 'm' } },
  });

  it('offers to delete its saves first where the command for that would take it', () => {
    const run = { state: 'finished', imported: null, endpoints } as const;
    assert.equal(hasServerSaves(run), true);
    assert.equal(hasServerSaves({ ...run, endpoints: { ...local, environment: endpoints.agent } }), true);
    assert.equal(hasServerSaves({ ...run, endpoints: local }), false);
    assert.equal(hasServerSaves({ ...run, state: 'paused' }), false, 'it would continue from them');
    assert.equal(hasServerSaves({ ...run, imported: 'verl' }), false, 'another program made them');
  });
});

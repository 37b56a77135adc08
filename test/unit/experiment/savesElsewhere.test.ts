import assert from 'node:assert/strict';
import { savesElsewhere } from '../../../src/shared/experiment/endpoints/savesElsewhere.ts';
import { parseExperiment } from '../../../src/shared/experiment/parse.ts';

const tinker = (url: string) => ({ kind: 'tinker', url, key: null, model: 'm' });
const verl = {
  kind: 'verl',
  url: 'ssh://you@box',
  key: null,
  model: 'm',
  workdir: '/data/genenv',
  sampler: 'http://box/v1',
};

function places(settings: Record<string, unknown>): string[] {
  const parsed = parseExperiment(JSON.stringify({ version: 1, name: 'a', ...settings }), 'a.genenv.json');
  assert.ok('experiment' in parsed, JSON.stringify(parsed));
  const { servers, folders } = savesElsewhere(parsed.experiment);
  return [...servers, ...folders];
}

describe('saves outside of the run’s folder', () => {
  it('are listed once a server, and by the folder of a cluster', () => {
    const one = tinker('http://one:1');
    assert.deepEqual(places({ endpoints: { agent: one, environment: one } }), ['http://one:1']);
    assert.deepEqual(places({ endpoints: { agent: one, environment: tinker('http://two:2') } }), [
      'http://one:1',
      'http://two:2',
    ]);
    assert.deepEqual(places({ endpoints: { agent: verl, environment: verl } }), ['ssh://you@box /data/genenv']);
  });

  it('are none of embedded models, of samplers, and of policies that are not trained', () => {
    assert.deepEqual(places({ preset: 'embedded' }), []);
    const endpoints = { agent: tinker('http://one:1'), environment: tinker('http://two:2') };
    assert.deepEqual(places({ mode: 'random', endpoints }), ['http://one:1']);
    assert.deepEqual(places({ agent: { train: false }, endpoints }), ['http://two:2']);
  });
});

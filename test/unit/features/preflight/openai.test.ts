import assert from 'node:assert/strict';
import { agreedKeys } from '../../../support/agreedKeys.ts';
import { reach } from '../../../../src/features/preflight/node/reach.ts';
import { resolveExperiment, type JsonObject } from '../../../../src/shared/experiment/resolve.ts';
import { fromSources } from '../../../support/fromSources.ts';
import { FakeServer } from '../../../support/openai/fakeServer.ts';

describe('the checks before a run on an OpenAI-compatible server', () => {
  const server = new FakeServer('ollama');
  before(() => server.start());
  after(() => server.stop());

  async function found(over: JsonObject) {
    const environment = { kind: 'openai', url: server.url, model: 'qwen', ...over };
    const file = { version: 1, name: 'x', preset: 'embedded', mode: 'random', endpoints: { environment } };
    const findings = await reach(resolveExperiment(file), {
      ...{ dist: fromSources, keys: agreedKeys({}) },
      signal: new AbortController().signal,
    });
    return findings.map(({ severity, field, message }) => `${severity} ${field.split('.').at(-1)}: ${message}`);
  }

  it('pass where the model is served, by its whole name or without its tag', async () => {
    assert.deepEqual(await found({}), []);
    assert.deepEqual(await found({ model: 'qwen:latest' }), []);
  });

  it('name what is not there at its field', async () => {
    assert.match((await found({ model: 'llama' })).join(), /^warning model: .* does not serve the model "llama"/);
    assert.match(
      (await found({ url: `${server.url} http://127.0.0.1:9/v1` })).join(),
      /^error url: http:..127.0.0.1:9: /,
    );
    assert.match((await found({ key: '${env:NO_KEY}' })).join(), /^error key: .*NO_KEY holds no key/);
    assert.match((await found({ tokenizer: '/nowhere' })).join(), /^error tokenizer: .*tokenizer\.json/);
  });
});

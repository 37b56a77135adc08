import assert from 'node:assert/strict';
import { secretIn, withoutSecret } from '../../../src/shared/experiment/endpoints/addressField.ts';
import { parseExperiment } from '../../../src/shared/experiment/parse.ts';
import { readRemembered } from '../../../src/shared/experiment/endpoints/rememberedEndpoint.ts';

const secrets = [
  ['https://me:sesame@gpu.example/v1', 'a password', 'https://gpu.example/v1'],
  ['https://sesame@gpu.example/v1', 'a user name', 'https://gpu.example/v1'],
  ['https://gpu.example/v1?api_key=sesame', 'the parameter "api_key"', 'https://gpu.example/v1'],
  ['https://gpu.example/v1?api-version=2&Key=sesame', 'the parameter "Key"', 'https://gpu.example/v1?api-version=2'],
  ['https://gpu.example/?X-Amz-Signature=sesame', 'the parameter "X-Amz-Signature"', 'https://gpu.example/'],
  ['http://a:1/v1 http://me:sesame@b:2/v1', 'a password', 'http://a:1/v1 http://b:2/v1'],
  ['ssh://me:sesame@far', 'a password', 'ssh://me@far'],
] as const;

describe('addresses in files', () => {
  it('that hold a user, a password or a key are found out, and cleaned where they stand already', () => {
    for (const [field, what, clean] of secrets) {
      assert.equal(secretIn(field), what, field);
      assert.equal(withoutSecret(field), clean);
    }
    for (const field of [
      'https://gpu.example/v1?api-version=2',
      'ssh://me@far:22',
      'local:',
      'Qwen/Qwen3-8B',
      '/a/b',
    ]) {
      assert.equal(secretIn(field), null, field);
      assert.equal(withoutSecret(field), field);
    }
  });

  it('are refused at their line, and not repeated', () => {
    for (const [url] of secrets.slice(0, 6)) {
      for (const endpoint of [
        { kind: 'openai', url, model: 'm' },
        { kind: 'tinker', url, model: 'm' },
        { kind: 'verl', url, model: 'm' },
        { kind: 'verl', sampler: url, model: 'm' },
        { kind: 'openai', tokenizer: url, model: 'm' },
      ]) {
        const text = JSON.stringify(
          { preset: 'default', mode: 'random', endpoints: { environment: endpoint } },
          null,
          2,
        );
        const parsed = parseExperiment(text, 'mine.genenv.json');
        assert.ok('problems' in parsed);
        const said = JSON.stringify(parsed.problems);
        assert.doesNotMatch(said, /sesame/);
        if (!url.includes(' ') || endpoint.kind === 'openai') assert.match(said, /holds (a |the parameter)/);
        assert.doesNotMatch(JSON.stringify(readRemembered([{ name: 'gpu', ...endpoint }])), /sesame/);
      }
    }
  });
});

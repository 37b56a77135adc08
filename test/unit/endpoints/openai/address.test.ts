import assert from 'node:assert/strict';
import { addressesOf } from '../../../../src/endpoints/openai/address.ts';
import { endpointDefaults, endpointSchema } from '../../../../src/shared/experiment/endpoints/endpoint.ts';

describe('the address of an OpenAI-compatible server', () => {
  const cases: [string, ...[string, string][]][] = [
    ['http://h:8000', ['http://h:8000/', '/v1']],
    ['http://h:8000/v1/', ['http://h:8000/', '/v1']],
    ['https://gate.example/api/v1', ['https://gate.example/api', '/v1']],
    ['https://gate.example/v1beta/openai', ['https://gate.example/v1beta/openai', '']],
    [' http://a/v1, http://b\nhttp://c/v1 ', ['http://a/', '/v1'], ['http://b/', '/v1'], ['http://c/', '/v1']],
  ];
  for (const [text, ...expected] of cases) {
    it(`is read from ${JSON.stringify(text)}`, () => {
      assert.ok(endpointSchema.safeParse({ ...endpointDefaults.openai, url: text }).success);
      assert.deepEqual(
        addressesOf(text).map(({ root, api }) => [root, api]),
        expected,
      );
    });
  }

  it('is none without a host, or with another protocol', () => {
    for (const url of ['', 'http://', 'h:8000', 'ftp://h', 'http://a/v1, b'])
      assert.ok(!endpointSchema.safeParse({ ...endpointDefaults.openai, url }).success, url);
  });
});

import assert from 'node:assert/strict';
import { Arguments } from '../../../src/cli/commandLine.ts';
import { serverOf } from '../../../src/features/evaluation/cli/serverOf.ts';
import { UsageError } from '../../../src/cli/usageError.ts';

const given = (options: Record<string, string>): Arguments =>
  new Arguments(['bfcl'], new Map(Object.entries(options).map(([name, value]) => [name, [value]])));

describe('a server that is named on the command line', () => {
  const url = 'http://127.0.0.1:8000/v1';

  it('is an endpoint like one of an experiment, its key a reference', () => {
    const choice = serverOf(given({ url, model: 'qwen', key: '${env:VLLM_KEY}' }));
    assert.ok(choice?.kind === 'experiment');
    assert.equal(choice.name, 'qwen at http://127.0.0.1:8000/v1');
    assert.deepEqual(choice.experiment.endpoints.agent, {
      ...{ kind: 'openai', url, model: 'qwen', key: '${env:VLLM_KEY}', tokenizer: null, inFlight: null },
      ...{ pricePrompt: null, priceSampled: null, pricePerHour: null },
    });
    assert.equal(serverOf(given({ policy: 'gold' })), null);
  });

  it('is refused half named, and where its key would be kept or repeated', () => {
    for (const [options, said] of [
      [{ url }, /--url needs --model NAME/],
      [{ model: 'qwen' }, /--model is of a server/],
      [{ key: '${env:K}' }, /--key is of a server/],
      [{ url, model: 'qwen', key: 'sesame' }, /A key is never written into a file: give \$\{env:NAME\}/],
      [{ url: 'http://me:sesame@127.0.0.1:9', model: 'qwen' }, /never holds a user, a password or a key/],
      [{ url: 'ftp://127.0.0.1/v1', model: 'qwen' }, /begins with http/],
    ] as const) {
      assert.throws(
        () => serverOf(given(options)),
        (error) => error instanceof UsageError && said.test(error.message) && !error.message.includes('sesame'),
        JSON.stringify(options),
      );
    }
  });
});

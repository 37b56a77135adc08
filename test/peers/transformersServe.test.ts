/** `transformers serve` with a model of random numbers: what the Doctor finds, and whether a run samples what the model says. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { Workspace } from '../support/genenv.ts';
import { OpenedPolicies } from '../support/openai/openedPolicies.ts';
import { freePort } from '../support/peers/freePort.ts';
import { peerPython } from '../support/peers/pythons.ts';
import { assertDrawn, byteModel, firstTokens, RealServer } from '../support/peers/realServer.ts';
import { skip } from '../support/skip.ts';

describe('transformers serve', function () {
  this.timeout(600_000);
  const workspace = new Workspace();
  const opened = new OpenedPolicies();
  let python = '';
  let model = '';
  let server: RealServer;
  before(async function () {
    this.timeout(2_400_000);
    const found = await peerPython('transformers-serve');
    if ('why' in found) skip(this, `transformers serve cannot be installed: ${found.why}`);
    python = found.python;
    model = await byteModel(python, join(workspace.dir, 'model'));
    const port = await freePort();
    const args = ['-m', 'transformers.cli.transformers', 'serve', model, '--host', '127.0.0.1', '--port', `${port}`];
    server = await RealServer.start(python, [...args, '--device', 'cpu'], `http://127.0.0.1:${port}`, '/health');
  });
  afterEach(() => opened.close());
  after(async () => {
    // Where it cannot be had, none was started.
    if (python !== '') await server.stop();
    workspace.remove();
  });

  it('takes the likeliest token at any temperature, unless it is asked as GenEnv asks', async () => {
    const body = { model, messages: [{ role: 'user', content: '1' }], max_tokens: 1, temperature: 50 };
    const texts = new Set<string>();
    for (let seed = 0; seed < 8; seed++) {
      const response = await fetch(`${server.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...body, seed }),
      });
      texts.add(JSON.stringify(await response.json()).replace(/^.*"message":(\{[^}]*\}).*$/, '$1'));
    }
    assert.equal(texts.size, 1);
  });

  it('has nothing that the Doctor finds wrong, defaults included', async () => {
    const { code, out, err } = await workspace.genenv(
      'doctor',
      `${server.url}/v1`,
      '--kind',
      'openai',
      '--model',
      model,
    );
    assert.equal(code, 0, `${out}${err}`);
    assert.match(out, /✓ \*\*Server\*\*: transformers serve\./);
    assert.match(out, /✓ \*\*Sampling parameters\*\*: .*answers began with \d\d different tokens/);
    assert.match(out, / 0 ✗,/);
  });

  it('is sampled as transformers itself says, and ends where the model ends', async () => {
    const { chances, prompt } = await firstTokens(python, model, 'one');
    const policy = await opened.open({ url: `${server.url}/v1`, model });
    const messages = [{ role: 'user' as const, content: 'one' }];
    const firsts = await opened.sample(policy, { messages, n: 400, maxTokens: 1 });
    const texts = firsts.map((one) => ('text' in one ? one.text : assert.fail(one.failure)));
    assertDrawn(texts, chances);
    for (const one of firsts) assert.equal('counted' in one ? one.counted.prompt : null, prompt);
    // At such a temperature the end is drawn as often as any of 259 tokens.
    const long = await opened.sample(policy, { messages, n: 4, maxTokens: 1500, temperature: 50 });
    assert(long.some((one) => 'stopReason' in one && one.stopReason === 'stop'));
    const [cut] = await opened.sample(policy, { messages, maxTokens: 64, temperature: 0, seed: 1 });
    const whole = cut !== undefined && 'text' in cut ? cut.text : assert.fail('no answer');
    const stop = whole[10] ?? assert.fail(whole);
    const [ended] = await opened.sample(policy, { messages, maxTokens: 64, temperature: 0, seed: 1, stop: [stop] });
    assert.equal(ended !== undefined && 'text' in ended ? ended.text : null, whole.slice(0, whole.indexOf(stop)));
  });
});

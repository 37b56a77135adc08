/** llama-cpp-python's server with a model of random numbers: what the Doctor finds, and whether a run samples what the model says. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
import { Workspace } from '../support/genenv.ts';
import { OpenedPolicies } from '../support/openai/openedPolicies.ts';
import { freePort } from '../support/peers/freePort.ts';
import { peerPython } from '../support/peers/pythons.ts';
import { assertDrawn, beside, byteModel, firstTokens, RealServer } from '../support/peers/realServer.ts';
import { skip } from '../support/skip.ts';

const scoredSchema = z.object({
  choices: z.array(
    z.object({ logprobs: z.object({ top_logprobs: z.array(z.record(z.string(), z.number()).nullable()) }) }),
  ),
});

describe('llama-cpp-python’s server', function () {
  this.timeout(600_000);
  const workspace = new Workspace();
  const opened = new OpenedPolicies();
  let torch = '';
  let folder = '';
  let model = '';
  let server: RealServer;
  before(async function () {
    this.timeout(4_800_000);
    const base = await peerPython('torch');
    if ('why' in base) skip(this, `torch cannot be installed: ${base.why}`);
    const found = await peerPython('llama-cpp-python');
    if ('why' in found) skip(this, `llama-cpp-python cannot be installed: ${found.why}`);
    folder = await byteModel(base.python, join(workspace.dir, 'model'));
    model = join(workspace.dir, 'model.gguf');
    await promisify(execFile)(found.python, [beside('gguf_model.py'), folder, model]);
    const port = await freePort();
    const args = ['-m', 'llama_cpp.server', '--model', model, '--host', '127.0.0.1', '--port', `${port}`];
    const more = ['--n_ctx', '2048', '--n_threads', '1'];
    server = await RealServer.start(found.python, [...args, ...more], `http://127.0.0.1:${port}`, '/v1/models');
    torch = base.python;
  });
  afterEach(() => opened.close());
  after(async () => {
    // Where it cannot be had, none was started.
    if (torch !== '') await server.stop();
    workspace.remove();
  });

  const asked = async (path: string, body: object): Promise<unknown> => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    return response.json();
  };

  it('has defaults that cut the distribution, which the Doctor finds to have no say', async () => {
    const firsts = async (more: object): Promise<number> => {
      const messages = [{ role: 'user', content: '1' }];
      const texts = new Set<string>();
      for (let seed = 0; seed < 48; seed++) {
        const answer = await asked('/v1/chat/completions', { messages, max_tokens: 1, temperature: 50, seed, ...more });
        texts.add(/"content":"((?:[^"\\]|\\.)*)"/.exec(JSON.stringify(answer))?.[1] ?? '');
      }
      return texts.size;
    };
    const [alone, whole] = [await firsts({}), await firsts({ top_p: 1, top_k: 0, min_p: 0 })];
    assert(alone < whole / 2, `${alone} different first tokens, ${whole} without its defaults`);
    const { code, out, err } = await workspace.genenv(
      'doctor',
      `${server.url}/v1`,
      '--kind',
      'openai',
      '--model',
      model,
    );
    assert.equal(code, 0, `${out}${err}`);
    assert.match(out, /✓ \*\*Sampling parameters\*\*: .*answers began with \d\d different tokens/);
    assert.match(out, / 0 ✗,/);
  });

  it('is sampled as transformers says of the same weights, and its own log-probabilities are those', async () => {
    const { chances } = await firstTokens(torch, folder, 'one');
    const policy = await opened.open({ url: `${server.url}/v1`, model });
    const firsts = await opened.sample(policy, { messages: [{ role: 'user', content: 'one' }], n: 400, maxTokens: 1 });
    const texts = firsts.map((one) => ('text' in one ? one.text : assert.fail(one.failure)));
    assertDrawn(texts, chances);

    const prompt = '<|im_start|>user\none<|im_end|>\n<|im_start|>assistant\n';
    const told = scoredSchema.parse(
      await asked('/v1/completions', { prompt, max_tokens: 1, temperature: 0, logprobs: 300 }),
    );
    const first = told.choices[0]?.logprobs.top_logprobs[0] ?? {};
    const known = Object.entries(chances).filter(([text]) => first[text] !== undefined);
    assert(known.length > 60, `${known.length} tokens`);
    for (const [text, chance] of known) {
      assert(
        Math.abs((first[text] ?? 0) - Math.log(chance)) < 0.02,
        `“${text}”: ${first[text]}, not ${Math.log(chance)}`,
      );
    }
  });
});

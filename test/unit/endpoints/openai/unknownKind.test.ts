/** Unknown servers: the parameters sent so that their own defaults do not cut the distribution. */
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import * as z from 'zod';
import { FastTime } from '../../../support/endpoints/fastTime.ts';
import { OpenedPolicies } from '../../../support/openai/openedPolicies.ts';

const bodySchema = z.looseObject({ model: z.string() });
type Sent = z.infer<typeof bodySchema>;

const answer = {
  ...{ id: 'a', object: 'chat.completion', created: 1, model: 'm' },
  choices: [{ index: 0, message: { role: 'assistant', content: 'yes' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 },
};

async function listening(
  refused: readonly string[],
  models: number,
  said: object = answer,
): Promise<{ server: Server; url: string; bodies: Sent[] }> {
  const bodies: Sent[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const tell = (status: number, value: unknown): void => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
      };
      const path = request.url ?? '';
      if (path === '/v1/models') tell(models, { object: 'list', data: [{ id: 'm', object: 'model', owned_by: 'me' }] });
      else if (path !== '/v1/chat/completions') tell(404, { detail: 'Not Found' });
      else {
        const body = bodySchema.parse(JSON.parse(Buffer.concat(parts).toString()));
        bodies.push(body);
        const foreign = refused.find((name) => name in body);
        if (foreign === undefined) tell(200, said);
        else tell(422, { detail: `unknown field ${foreign}` });
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  return { server, url: `http://127.0.0.1:${address.port}/v1`, bodies };
}

describe('an OpenAI-compatible server of an unknown kind', () => {
  const opened = new OpenedPolicies();
  afterEach(() => opened.close());

  for (const [name, refused, models, last] of [
    ['is sent what neutralises defaults', [], 200, { top_p: 1, top_k: 0, min_p: 0 }],
    [
      'is asked as transformers wants it where it refuses that',
      ['top_k', 'min_p'],
      200,
      { top_p: 1, generation_config: '{"do_sample":true,"top_k":0,"min_p":0,"repetition_penalty":1}' },
    ],
    ['is sent less where it refuses both', ['top_k', 'min_p', 'generation_config'], 200, { top_p: 1 }],
    ['need not list its models', [], 500, { top_p: 1, top_k: 0, min_p: 0 }],
  ] as const) {
    it(name, async () => {
      const { server, url, bodies } = await listening(refused, models);
      try {
        await opened.open({ url, model: 'm' }, new FastTime(100));
        const sent = Object.entries(bodies.at(-1) ?? {}).filter(([field]) =>
          ['top_p', 'top_k', 'min_p', 'generation_config'].includes(field),
        );
        assert.deepEqual(Object.fromEntries(sent), last);
      } finally {
        server.close();
        server.closeAllConnections();
      }
    });
  }

  it('may leave a stop text in its answer, which is cut off here', async () => {
    const { server, url } = await listening([], 200);
    try {
      const policy = await opened.open({ url, model: 'm' }, new FastTime(100));
      const [one] = await opened.sample(policy, { stop: ['s', 'e'] });
      assert.equal(one !== undefined && 'text' in one ? one.text : null, 'y');
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });

  it('that counts no tokens has them estimated from characters, and the log says so', async () => {
    for (const usage of [undefined, { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }]) {
      const { server, url } = await listening([], 200, { ...answer, usage });
      try {
        const policy = await opened.open({ url, model: 'm' }, new FastTime(100));
        assert.ok(opened.said.some((text) => text.includes('does not say how many tokens')));
        const [one] = await opened.sample(policy, { messages: [{ role: 'user', content: 'twelve chars' }] });
        assert.ok(one !== undefined && 'text' in one);
        assert.deepEqual(one.counted, { prompt: 3, answer: 1 });
      } finally {
        server.close();
        server.closeAllConnections();
      }
    }
  });
});

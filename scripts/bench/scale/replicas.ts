/**
 * Servers of one model at addresses of their own, in a process of its own, which answer as vLLM does, each question after its own time:
 * `replicas.ts COUNT PROMPT ANSWER LEAST MOST`, tokens and milliseconds. It prints its addresses.
 */
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';

const [count = 1, prompt = 0, answer = 0, least = 0, most = 0] = process.argv.slice(2).map(Number);
const bodySchema = z.looseObject({ seed: z.int(), n: z.int().default(1) });
const models = { object: 'list', data: [{ id: 'm', object: 'model', owned_by: 'vllm', max_model_len: 1 << 20 }] };
const given = Array.from({ length: prompt }, (_, i) => (i * 7919) % 50_000);
let [now, top] = [0, 0];

function completion(seed: number): unknown {
  const ids = Array.from({ length: answer }, (_, i) => (i * 31 + seed) % 50_000);
  const content = ids.map((id) => ({ token: `t${id}`, logprob: -id / 50_000 }));
  const message = { role: 'assistant', content: 'first increase f0 rice 3' };
  return {
    ...{ id: 'a', object: 'chat.completion', created: 1, model: 'm', prompt_token_ids: given },
    choices: [{ index: 0, message, finish_reason: 'stop', token_ids: ids, logprobs: { content } }],
    usage: { prompt_tokens: prompt, completion_tokens: answer, total_tokens: prompt + answer },
  };
}

async function reply(path: string, text: string): Promise<unknown> {
  if (path === '/v1/models') return models;
  if (path === '/version') return { version: '0.26.0' };
  if (path === '/most') return { most: top };
  if (path !== '/v1/chat/completions') return null;
  const { seed } = bodySchema.parse(JSON.parse(text));
  now += 1;
  top = Math.max(top, now);
  await sleep(least + ((seed * 2_654_435_761) % (most - least + 1)));
  now -= 1;
  return completion(seed);
}

const urls: string[] = [];
for (let i = 0; i < count; i++) {
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      void reply(request.url ?? '', Buffer.concat(pieces).toString()).then((value) => {
        response.writeHead(value === null ? 404 : 200, { 'content-type': 'application/json' });
        response.end(JSON.stringify(value));
      });
    });
  });
  // Connections wait longer than any run does.
  server.keepAliveTimeout = 600_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 8192, resolve));
  urls.push(`http://127.0.0.1:${z.object({ port: z.number() }).parse(server.address()).port}`);
}
console.log(urls.join(' '));

/** Clients of the address where programs ask: told a key, one holds a conversation of so many turns, then says the key. */
import { Agent, request } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';
import * as z from 'zod';

const { url, turns } = z.object({ url: z.string(), turns: z.number() }).parse(workerData);
const agent = new Agent({ keepAlive: true, maxSockets: Infinity });
const answerSchema = z.object({ choices: z.array(z.object({ message: z.object({ content: z.string() }) })).min(1) });
type Said = { role: 'user' | 'assistant'; content: string };

const ask = (key: string, messages: readonly Said[]): Promise<string> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const asked = request(`${url}/chat/completions`, { method: 'POST', agent, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () => {
        resolve(answerSchema.parse(JSON.parse(text)).choices[0]?.message.content ?? '');
      });
    });
    asked.on('error', reject);
    asked.end(JSON.stringify({ model: 'agent', messages }));
  });

async function talk(key: string): Promise<void> {
  const messages: Said[] = [{ role: 'user', content: 'Please read this. '.repeat(100) }];
  for (let turn = 0; turn < turns; turn++) {
    messages.push({ role: 'assistant', content: await ask(key, messages) });
    messages.push({ role: 'user', content: `This is what the tool gave in turn ${turn}. `.repeat(10) });
  }
  parentPort?.postMessage(key);
}

parentPort?.on('message', (key: string) => void talk(key));

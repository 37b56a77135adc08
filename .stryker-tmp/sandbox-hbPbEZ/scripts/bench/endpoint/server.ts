/** An endpoint as a worker: so many requests at a time, each after the same time, a queue as long, the rest refused. */
import { createServer, type ServerResponse } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';
import * as z from 'zod';

const { latency, places } = z.object({ latency: z.number(), places: z.number() }).parse(workerData);

const tokens = Array.from({ length: 200 }, (_, i) => (i * 7919) % 50_000);
const answer = JSON.stringify({ tokens, logprobs: tokens.map((token) => -token / 50_000) });
const queue: ServerResponse[] = [];
let working = 0;

function begin(response: ServerResponse): void {
  working += 1;
  setTimeout(() => {
    working -= 1;
    response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
    const next = queue.shift();
    if (next !== undefined) begin(next);
  }, latency);
}

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    if (working < places) begin(response);
    else if (queue.length < places) queue.push(response);
    else response.writeHead(429, { 'content-type': 'application/json' }).end('{"detail":"busy"}');
  });
});
server.listen(0, '127.0.0.1', 8192, () => parentPort?.postMessage(server.address()));

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { NodeHttpClient } from '../../../../src/endpoints/http/nodeHttpClient.ts';

describe('an upload', () => {
  it('to a server that reads slowly leaves no listener behind for each pause', async () => {
    const body = Buffer.alloc(24 * 1024 * 1024, 'x');
    let read = 0;
    const server = createServer({ highWaterMark: 16 * 1024 }, (request, response) => {
      const slowly = async () => {
        for await (const piece of request) {
          if (Buffer.isBuffer(piece)) read += piece.length;
          if (read % 7 === 0) await sleep(1);
        }
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      };
      slowly().catch(() => response.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = z.object({ port: z.number() }).parse(server.address());
    const http = new NodeHttpClient({ url: `http://127.0.0.1:${port}`, tries: 1 });
    const warnings: string[] = [];
    const hear = ({ name, message }: Error) => warnings.push(`${name}: ${message}`);
    process.on('warning', hear);
    try {
      assert.equal((await http.send({ method: 'POST', path: '/', body })).status, 200);
      assert.equal(read, body.length);
      // Warnings come a turn later.
      await sleep(1);
      assert.deepEqual(warnings, []);
    } finally {
      process.off('warning', hear);
      http.close();
      server.close();
    }
  });
});

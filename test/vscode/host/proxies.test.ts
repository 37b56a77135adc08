/** The editor patches Node's own modules in the extension host: what the bundle asks goes through the editor's proxy. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import * as vscode from 'vscode';
import * as z from 'zod';
import { eventually } from '../../support/until.ts';

describe('the editor’s proxy', () => {
  it('is asked for what an extension asks over the module that the bundle loads, with an agent of its own', async () => {
    const through: string[] = [];
    const proxy = createServer((asked, response) => {
      through.push(`${asked.method ?? ''} ${asked.url ?? ''}`);
      response.writeHead(200).end();
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const { port } = z.object({ port: z.number() }).parse(proxy.address());
    const settings = vscode.workspace.getConfiguration('http');
    // As CommonJS has it; what a test imports is a copy of before.
    const http = process.getBuiltinModule('node:http');
    const agent = new http.Agent({ keepAlive: true, proxyEnv: {} });
    try {
      await settings.update('proxy', `http://127.0.0.1:${port}`, vscode.ConfigurationTarget.Global);
      await eventually(async () => {
        const status = await new Promise<number | undefined>((resolve, reject) => {
          const asked = http.request('http://server.test:8123/v1', { agent }, (answer) => {
            answer.resume();
            resolve(answer.statusCode);
          });
          asked.on('error', reject);
          asked.end();
        });
        assert.equal(status, 200);
        assert.equal(through.at(-1), 'GET http://server.test:8123/v1');
      });
    } finally {
      await settings.update('proxy', undefined, vscode.ConfigurationTarget.Global);
      agent.destroy();
      proxy.closeAllConnections();
      proxy.close();
    }
  });
});

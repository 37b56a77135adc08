/** Sessions that several wait for: one that gives up ends them for none. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SampleRequest } from '../../../../src/engine/ports.ts';
import { NodeHttpClient } from '../../../../src/endpoints/http/nodeHttpClient.ts';
import { AskedSamples } from '../../../../src/endpoints/tinker/askedSamples.ts';
import { Connection } from '../../../../src/endpoints/tinker/connection.ts';
import { Ledger } from '../../../../src/endpoints/tinker/ledger.ts';
import { Sampler } from '../../../../src/endpoints/tinker/sampler.ts';
import { machineTime } from '../../../../src/endpoints/time.ts';
import { sendJson, TestServer } from '../../../support/endpoints/httpServer.ts';

const request: SampleRequest = { id: 'r', messages: [], n: 1, seed: 1, maxTokens: 4, temperature: 1 };
const gaveUp = new Error('no longer wanted');

describe('tinker: sessions that several wait for', () => {
  for (const slow of ['create_session', 'create_sampling_session']) {
    it(`survive that the first of them gives up at ${slow}`, async () => {
      const folder = await mkdtemp(join(tmpdir(), 'genenv-sessions-'));
      const first = new AbortController();
      const server = await TestServer.start((response, { path }) => {
        const name = path.split('/').at(-1);
        // The answer comes after the first caller has gone.
        if (name === slow) first.abort(gaveUp);
        const answers = new Map<string | undefined, object>([
          ['create_session', { session_id: 's' }],
          ['create_sampling_session', { sampling_session_id: 'ss' }],
          ['asample', { request_id: 'p' }],
          ['retrieve_future', { sequences: [{ stop_reason: 'stop', tokens: [5], logprobs: [-0.1] }] }],
        ]);
        setTimeout(() => sendJson(response, answers.get(name) ?? {}), name === slow ? 100 : 0);
      });
      const http = new NodeHttpClient({ url: server.url });
      const log = { info: () => undefined, warn: () => undefined };
      const ledger = await Ledger.open(join(folder, 'ledger.jsonl'));
      const connection = new Connection({ http, ledger, log, time: machineTime });
      const tokens = { prompt: () => [1, 2], stop: [5], decode: () => 'x', render: () => ({ tokens: [], spans: [] }) };
      const asked = await AskedSamples.open(join(folder, 'asked.jsonl'));
      const sampler = new Sampler(connection, tokens, asked, null);
      try {
        const one = sampler.complete('base:m', request, false, first.signal);
        const two = sampler.complete('base:m', { ...request, id: 'q' }, false, new AbortController().signal);
        await assert.rejects(one, gaveUp);
        assert.deepEqual((await two)[0]?.tokens, [5]);
      } finally {
        connection.close();
        await asked.close();
        await server.stop();
        await rm(folder, { recursive: true });
      }
    });
  }
});

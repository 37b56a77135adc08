import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { doctorItem } from '../../../../src/features/doctor/node/checks/markdown.ts';
import { ChatTokens } from '../../../../src/endpoints/tokens/chatTokens.ts';
import { visit } from '../../../../src/features/doctor/node/doctor.ts';
import { environmentKeys } from '../../../../src/launch/access/keys.ts';
import { endpointDefaults } from '../../../../src/shared/experiment/endpoints/endpoint.ts';
import { FastTime } from '../../../support/endpoints/fastTime.ts';
import { fromSources as dist } from '../../../support/fromSources.ts';
import { FakeServer, type Kind } from '../../../support/openai/fakeServer.ts';
import { bytePairTokenizer, chatTemplate } from '../../../support/tokens/smallTokenizer.ts';

const quiet = { info: () => undefined, warn: () => undefined };

/** Differences between servers of a kind, by how they were started and their models. */
const setUps: Record<string, { kind: Kind; tokenizer?: boolean; prepare?: (server: FakeServer) => void }> = {
  vllm: {
    kind: 'vllm',
    tokenizer: true,
    prepare: (server) => {
      server.adapters?.loaded.set('run-agent-1', '/srv/run/agent-1');
    },
  },
  'vllm-plain': {
    kind: 'vllm',
    prepare: (server) => {
      server.tools = 'refuses';
      server.older = true;
      server.shapes = ['guided_json'];
      if (server.adapters !== null) server.adapters.runtime = false;
    },
  },
  sglang: { kind: 'sglang' },
  'llama.cpp': {
    kind: 'llama.cpp',
    prepare: (server) => {
      server.tools = 'refuses';
    },
  },
  ollama: {
    kind: 'ollama',
    tokenizer: true,
    prepare: (server) => {
      server.tools = 'passes over';
      server.shapes = [];
      server.renders = (messages) => messages.map((_, i) => i);
    },
  },
};

describe('the endpoint doctor at OpenAI-compatible servers', function () {
  this.timeout(240_000);
  const folder = mkdtempSync(join(tmpdir(), 'genenv-doctor-openai-'));
  const { tokenizer, config } = bytePairTokenizer();
  const tokens = new ChatTokens({ tokenizer, config, template: chatTemplate, source: 'small' });

  before(() => {
    writeFileSync(join(folder, 'tokenizer.json'), JSON.stringify(tokenizer));
    writeFileSync(join(folder, 'tokenizer_config.json'), JSON.stringify(config));
    writeFileSync(join(folder, 'chat_template.jinja'), chatTemplate);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  for (const [name, { kind, tokenizer: named = false, prepare }] of Object.entries(setUps)) {
    it(`tells what ${name} can do`, async () => {
      const server = new FakeServer(kind);
      server.context = 4096;
      server.renders = (messages) => tokens.prompt(messages);
      server.says = (seed) => ({ content: `one two three ${seed}`, thought: 'I count.' });
      server.writes = (seed) => [40 + (seed % 10), 105];
      server.logprob = (id) => -id / 1000;
      server.end = 105;
      prepare?.(server);
      await server.start();
      try {
        const endpoint = {
          ...endpointDefaults.openai,
          url: server.url,
          model: 'qwen',
          tokenizer: named ? folder : null,
        };
        const { signal } = new AbortController();
        const options = { dist, keys: environmentKeys({}), log: quiet, signal, time: new FastTime(1000) };
        const lines = await Array.fromAsync(visit(endpoint, 'environment', options));
        const text = `${lines.map(doctorItem).join('\n')}\n`
          .replaceAll(/\d+ ms/g, '… ms')
          .replaceAll(/: \S+ times as fast[\s\S]*?\n {2}.*\n/g, ': … times as fast.\n');
        const golden = new URL(`golden/${name}.md`, import.meta.url);
        if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(golden, text);
        assert.equal(text, readFileSync(golden, 'utf8'));
      } finally {
        await server.stop();
      }
    });
  }
});

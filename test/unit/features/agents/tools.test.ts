/** One table of tools: the server's, the editor's by name, and the manifest's, which is written by hand. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { editorToolName, toolNames } from '../../../../src/features/agents/core/toolNames.ts';
import { tools } from '../../../../src/features/agents/node/tools.ts';

const manifestSchema = z.object({
  contributes: z.object({
    languageModelTools: z.array(z.object({ name: z.string(), modelDescription: z.string(), inputSchema: z.unknown() })),
  }),
});

describe('tools for agents', () => {
  const text = readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8');
  const { languageModelTools } = manifestSchema.parse(JSON.parse(text)).contributes;

  it('are known to the editor by their names', () => {
    assert.deepEqual(
      tools.map(({ name }) => name),
      [...toolNames],
    );
  });

  it('are in the manifest with the words and the input that the server tells', () => {
    const told = tools.map(({ name, description, input }) => {
      const inputSchema = z.toJSONSchema(input, { io: 'input' });
      delete inputSchema.$schema;
      return { name: editorToolName(name), modelDescription: description, inputSchema };
    });
    assert.deepEqual(JSON.parse(JSON.stringify(told)), languageModelTools);
  });
});

/** A coding agent’s end of `genenv mcp`: the official SDK’s client over the pipes of the built command line. */
import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import * as z from 'zod';
import { cli } from './built.ts';

const answerSchema = z.looseObject({
  content: z.array(z.looseObject({ type: z.literal('text'), text: z.string() })).min(1),
  isError: z.boolean().optional(),
});

export class Agent {
  readonly client = new Client({ name: 'a test', version: '1' });
  /** The server's standard error. */
  told = '';
  readonly #transport: StdioClientTransport;

  private constructor(cwd: string, words: readonly string[]) {
    const args = [cli, 'mcp', ...words];
    this.#transport = new StdioClientTransport({ command: process.execPath, args, cwd, stderr: 'pipe' });
  }

  static async connect(cwd: string, ...words: string[]): Promise<Agent> {
    const agent = new Agent(cwd, words);
    agent.#transport.stderr?.on('data', (piece: Buffer) => (agent.told += piece.toString()));
    await agent.client.connect(agent.#transport);
    return agent;
  }

  /** The text of an answer. */
  async ask(name: string, input: Record<string, unknown> = {}): Promise<string> {
    const { text, refused } = await this.#call(name, input);
    assert.ok(!refused, text);
    return text;
  }

  /** The sentence of a refusal. */
  async refused(name: string, input: Record<string, unknown>): Promise<string> {
    const { text, refused } = await this.#call(name, input);
    assert.ok(refused, text);
    return text;
  }

  close(): Promise<void> {
    return this.client.close();
  }

  async #call(name: string, input: Record<string, unknown>): Promise<{ text: string; refused: boolean }> {
    const { content, isError = false } = answerSchema.parse(await this.client.callTool({ name, arguments: input }));
    return { text: content.map(({ text }) => text).join(''), refused: isError };
  }
}

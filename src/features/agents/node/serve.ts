/** The tools as a Model Context Protocol server on standard input and output. */
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { dataNotice } from '../core/quoting.ts';
import { AgentContext, type AgentPlace } from './agentContext.ts';
import { answerOf } from './answer.ts';
import { toolsFor } from './tools.ts';

const instructions = [
  'GenEnv trains an environment policy that writes tasks and an agent policy that attempts them. These tools read the runs of one folder; propose_change proposes files to a person, who decides.',
  'p̂ is a success rate, always with its 95 % interval; a difference is told only by a paired interval. Start with list_runs, then read_run.',
  'Links (vscode://…) open the place in the editor: give them to the person.',
  dataNotice,
].join('\n');

/** Serves until its client is gone. */
export async function serveAgents(place: AgentPlace, allowed: { readOnly: boolean }): Promise<void> {
  const context = await AgentContext.open(place);
  const ended = Promise.withResolvers<undefined>();
  const handle = serveStdio(
    () => {
      const server = new McpServer({ name: 'genenv', version: place.version }, { instructions });
      for (const tool of toolsFor(allowed)) {
        const { name, title, description, input, does } = tool;
        server.registerTool(
          name,
          {
            title,
            description,
            inputSchema: input,
            annotations: { readOnlyHint: does === 'read', destructiveHint: false, openWorldHint: false },
          },
          async (asked) => {
            const { text, refused } = await answerOf(tool, context, asked);
            return { content: [{ type: 'text', text }], ...(refused && { isError: true }) };
          },
        );
      }
      return server;
    },
    { onerror: (error) => place.log.warn(error.message) },
  );
  process.stdin.once('end', () => ended.resolve(undefined));
  process.stdin.once('close', () => ended.resolve(undefined));
  await ended.promise;
  await handle.close();
}

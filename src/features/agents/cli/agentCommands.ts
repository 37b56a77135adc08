import { root, type CommandSpec } from '../../../cli/commandParts.ts';

export const agentCommands = {
  mcp: {
    summary: 'Serve the runs of a folder to coding agents: Model Context Protocol over standard input and output',
    argument: null,
    options: {
      folder: { value: 'DIR', help: 'Folder of experiments and studies (default: here). Nothing outside is read.' },
      as: { value: 'NAME', help: 'How proposals are signed (default: a coding agent).' },
      'read-only': { help: 'Offer no proposals either.' },
      'may-start': { help: 'Let agents start, pause and branch runs.' },
      root,
    },
    examples: ['genenv mcp', 'genenv mcp --folder ~/experiments'],
    notes: ['Programs start it: see docs/agents.md for how to connect VS Code and other clients.'],
  },
} as const satisfies Record<string, CommandSpec>;

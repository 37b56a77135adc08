/** The command that says where requests and keys may go, as data. */
import { json, type CommandSpec } from '../commandParts.ts';

export const accessCommands = {
  allow: {
    summary: 'Allow requests to an address, with a key; list what is allowed',
    argument: {
      name: '[NAME@]URL',
      help: 'An address, and the environment variable whose key may be sent there. Without it: the list.',
      optional: true,
    },
    options: { remove: { help: 'No longer allow it.' }, json },
    examples: [
      'genenv allow OPENAI_API_KEY@https://api.openai.com',
      'genenv allow ssh://me@gpu-box',
      'genenv allow --remove OPENAI_API_KEY@https://api.openai.com',
    ],
    notes: [
      'An experiment file can name any key and any address, so a file alone sends nothing: you allow each pair once.',
      'This machine (localhost) needs no permission, unless a key is sent. Path and query of URL do not count.',
      'Write secret:NAME@URL for a key that the experiment names as ${secret:NAME}.',
    ],
  },
} as const satisfies Record<string, CommandSpec>;

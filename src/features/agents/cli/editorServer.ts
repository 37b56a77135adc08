/** The server as an editor starts it, which knows every folder of its own. */
import { pathToFileURL } from 'node:url';
import { processTerminal, warningsTo } from '../../../cli/terminal.ts';
import { serveAgents } from '../node/serve.ts';
import { messageOf } from '../../../shared/messageOf.ts';

const [folder = '', root = '', dist = '', version = '', ...flags] = process.argv.slice(2);
const terminal = processTerminal();

serveAgents(
  {
    ...{ folder, root, version },
    dist: pathToFileURL(`${dist}/`),
    mayAct: flags.includes('--may-start'),
    by: terminal.env['GENENV_CLIENT'] ?? 'a coding agent',
    scheme: terminal.env['GENENV_LINKS'] ?? 'vscode',
    clock: terminal,
    log: { info: () => undefined, warn: warningsTo(terminal) },
  },
  { readOnly: flags.includes('--read-only') },
).then(
  () => process.exit(0),
  (error: unknown) => {
    terminal.err.write(`${messageOf(error)}\n`);
    process.exit(1);
  },
);

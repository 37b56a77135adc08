// `npm start`: the demo experiment to its end, with live progress; leaves a run folder and a report.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const file = fileURLToPath(new URL('../demo/embedded.genenv.json', import.meta.url));
const cli = new URL('../dist/cli.js', import.meta.url);
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

console.log(`GenEnv ${version}: an environment model and an agent model train each other on this machine.
It takes about two minutes on two cores. Ctrl-C pauses; nothing finished is lost.
`);
process.argv = [
  process.argv[0],
  fileURLToPath(cli),
  'run',
  relative(process.cwd(), file),
  '--report',
  ...process.argv.slice(2),
];
await import(cli.href);

/** `npm run package:cli`: genenv-VERSION.tgz, the command line as an npm package. `-- --out FILE` names another. */
import { relative } from 'node:path';
import { parseArgs } from 'node:util';
import { packageCli } from './npm/packageCli.ts';

const { values } = parseArgs({ options: { out: { type: 'string' } } });
try {
  const { file, bytes, files } = await packageCli(values.out);
  console.log(`${relative(process.cwd(), file)}: ${files} files, ${(bytes / 1e6).toFixed(2)} MB`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

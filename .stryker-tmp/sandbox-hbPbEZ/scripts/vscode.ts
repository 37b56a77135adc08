/**
 * `npm run vscode`: VS Code with the extension and the demo. Desktop VS Code where `code` is on the path, else (or with
 * `--browser`) its server for a browser on 127.0.0.1. `--folder` opens another folder, `--data` keeps the browser's
 * settings and state elsewhere, `--prepare` only makes the demo folder, for F5.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { serveBrowser } from './vscode/browser.ts';
import { demoFolder, root } from './vscode/demoFolder.ts';
import { findCode, openDesktop } from './vscode/desktop.ts';

const { values } = parseArgs({
  options: {
    browser: { type: 'boolean', default: false },
    prepare: { type: 'boolean', default: false },
    folder: { type: 'string' },
    data: { type: 'string' },
  },
});
const folder = values.folder === undefined ? await demoFolder() : resolve(values.folder);
const code = values.browser ? undefined : findCode();
if (!values.prepare) {
  if (code === undefined) process.exit(await serveBrowser(folder, values.data));
  await openDesktop(code, root, folder);
}

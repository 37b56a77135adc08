/** A Python with debugpy for the tests, made once below `.vscode-test`. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const home = fileURLToPath(new URL('../../../.vscode-test/python', import.meta.url));
const version = '1.8.22';

/** @returns the interpreter; null, with the reason printed, where there is no Python or no network to install debugpy by */
export async function pythonWithDebugpy(): Promise<string | null> {
  const python = join(home, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python');
  const isThere = ['-c', `import debugpy; assert debugpy.__version__ == "${version}"`];
  try {
    if (existsSync(python)) {
      await run(python, isThere);
      return python;
    }
  } catch {
    await rm(home, { recursive: true, force: true });
  }
  try {
    await run(process.platform === 'win32' ? 'python' : 'python3', ['-m', 'venv', home]);
    await run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', `debugpy==${version}`], {
      timeout: 120_000,
    });
    await run(python, isThere);
    return python;
  } catch (error) {
    console.log(
      `    Python is not debugged here: debugpy ${version} cannot be installed (${String(error).split('\n')[0]}).`,
    );
    return null;
  }
}

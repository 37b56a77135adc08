/**
 * Kills the processes of attempts when this process is gone for any reason: a shell that gets every process group, and
 * kills the remaining ones when its input closes.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const script = `
groups=" "
while read -r what group; do
  case $what in
    +) groups="$groups$group " ;;
    -) groups="\${groups%% $group *} \${groups#* $group }" ;;
  esac
done
for group in $groups; do kill -9 "-$group" 2> /dev/null; done
rm -rf "$1"
`;

export class OrphanGuard {
  /** Holds the folders of attempts. */
  readonly folder = mkdtempSync(join(tmpdir(), 'genenv-attempts-'));
  /** Null on systems without process groups. */
  readonly #shell: ChildProcess | null;

  constructor() {
    if (process.platform === 'win32') {
      this.#shell = null;
      return;
    }
    this.#shell = spawn('sh', ['-c', script, 'genenv-guard', this.folder], {
      ...{ detached: true, stdio: ['pipe', 'ignore', 'ignore'], env: { PATH: process.env['PATH'] } },
    });
    this.#shell.unref();
    // Without a shell nothing is guarded; the rest works.
    this.#shell.on('error', () => undefined);
    this.#shell.stdin?.on('error', () => undefined);
  }

  began(group: number): void {
    this.#shell?.stdin?.write(`+ ${group}\n`);
  }

  ended(group: number): void {
    this.#shell?.stdin?.write(`- ${group}\n`);
  }

  close(): void {
    this.#shell?.stdin?.end();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

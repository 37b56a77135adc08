/** An `ssh` before any other on the path: the far side is this machine, seen through one command line. */
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { quoted } from '../../../src/shared/text/shellCommand.ts';

export class FakeSsh {
  readonly #folder = mkdtempSync(join(tmpdir(), 'genenv-ssh-'));
  readonly #log = join(this.#folder, 'log');
  readonly #path = process.env['PATH'] ?? '';

  constructor() {
    const program = join(this.#folder, 'ssh');
    writeFileSync(
      program,
      `#!/bin/sh
echo "$@" >> ${quoted(this.#log)}
while [ "$1" = -o ] || [ "$1" = -p ]; do shift 2; done
[ "$1" = -- ] || exit 2
shift
if [ "$1" != me@far ]; then echo "ssh: Could not resolve hostname $1" >&2; exit 255; fi
shift
exec sh -c "$*"
`,
    );
    chmodSync(program, 0o755);
    process.env['PATH'] = `${this.#folder}${delimiter}${this.#path}`;
  }

  /** Command lines it was called with. */
  get calls(): string {
    return readFileSync(this.#log, 'utf8');
  }

  remove(): void {
    process.env['PATH'] = this.#path;
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

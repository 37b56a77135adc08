/** A job's files on the far side of a shell. */
import type { JobFiles } from '../files/jobFiles.ts';
import type { Shell } from './shell.ts';

const writing = 'mkdir -p "$(dirname "$1")" && cat > "$1.partial" && mv "$1.partial" "$1"';
const appending = 'mkdir -p "$(dirname "$1")" && cat >> "$1"';
/** A first byte tells a file from none. */
const reading = 'if [ -f "$1" ]; then printf + && tail -c "+$2" "$1"; fi';
const listing = 'if [ -d "$1" ]; then ls -1 "$1"; fi';

export class ShellFiles implements JobFiles {
  readonly #shell: Shell;
  /** Nothing waits for long here: commands have a limit of their own. */
  readonly #never = new AbortController().signal;

  constructor(shell: Shell) {
    this.#shell = shell;
  }

  async write(path: string, content: string | Uint8Array): Promise<void> {
    await this.#shell.run(writing, [path], this.#never, content);
  }

  async append(path: string, content: string | Uint8Array): Promise<void> {
    await this.#shell.run(appending, [path], this.#never, content);
  }

  async read(path: string, from = 0): Promise<Buffer | null> {
    const output = await this.#shell.run(reading, [path, String(from + 1)], this.#never);
    return output.length === 0 ? null : output.subarray(1);
  }

  async list(folder: string): Promise<string[]> {
    const output = await this.#shell.run(listing, [folder], this.#never);
    return output.toString().split('\n').filter(Boolean).sort();
  }
}

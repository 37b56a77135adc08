/** How much memory process groups take, looked at once a second while there are any (Linux and macOS). */
import { execFile } from 'node:child_process';

const everyMilliseconds = 1000;
const kibibyte = 1024;

export class GroupMemory {
  /** By process group: the callback for the total bytes of its processes. */
  readonly #watched = new Map<number, (bytes: number) => void>();
  #timer: NodeJS.Timeout | null = null;

  /** @returns a function that ends the watch */
  watch(group: number, told: (bytes: number) => void): () => void {
    this.#watched.set(group, told);
    this.#timer ??= setTimeout(() => this.#look(), everyMilliseconds).unref();
    return () => this.#watched.delete(group);
  }

  #look(): void {
    // Both systems know these words; a machine without `ps` has no such limit.
    execFile('ps', ['-A', '-o', 'pgid=,rss='], { maxBuffer: 64 * 2 ** 20 }, (error, text) => {
      this.#timer = null;
      if (error === null) this.#tell(text);
      if (this.#watched.size > 0) this.#timer ??= setTimeout(() => this.#look(), everyMilliseconds).unref();
    });
  }

  #tell(text: string): void {
    const sums = new Map<number, number>();
    for (const [, group, size] of text.matchAll(/^\s*(\d+)\s+(\d+)\s*$/gm)) {
      sums.set(Number(group), (sums.get(Number(group)) ?? 0) + Number(size) * kibibyte);
    }
    for (const [group, told] of this.#watched) told(sums.get(group) ?? 0);
  }
}

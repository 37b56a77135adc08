/**
 * A file of JSON lines in a run's folder that says what a policy has elsewhere. Append-only; an entry is on disk when
 * `add` resolves, so that it can be written before what it speaks of is relied on.
 */
import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { parseOrUndefined } from '../shared/json.ts';
import { codeOf } from '../shared/systemError.ts';

export class LedgerFile<Entry> {
  readonly #path: string;
  readonly #entries: Entry[];
  readonly #fence: () => Promise<void>;
  #writing: Promise<void> = Promise.resolve();

  private constructor(path: string, entries: Entry[], fence: () => Promise<void>) {
    this.#path = path;
    this.#entries = entries;
    this.#fence = fence;
  }

  /**
   * A line that is no JSON was torn by a crash, before anything relied on it.
   * @param fence stands before each line, and throws when another process writes the run now; absent: none does
   * @throws Error for a foreign file
   */
  static async open<Entry>(
    path: string,
    schema: z.ZodType<Entry>,
    fence: () => Promise<void> = () => Promise.resolve(),
  ): Promise<LedgerFile<Entry>> {
    const entries: Entry[] = [];
    for (const [i, line] of (await textOrEmpty(path)).split('\n').entries()) {
      const value = parseOrUndefined(line);
      if (value === undefined) continue;
      const parsed = schema.safeParse(value);
      if (!parsed.success) {
        throw new Error(
          l10n.t('{0}:{1}: {2}. Branch the run from one of its epochs.', path, i + 1, z.prettifyError(parsed.error)),
        );
      }
      entries.push(parsed.data);
    }
    return new LedgerFile(path, entries, fence);
  }

  /** Oldest first. */
  get entries(): readonly Entry[] {
    return this.#entries;
  }

  async add(entry: Entry): Promise<void> {
    this.#entries.push(entry);
    this.#writing = this.#writing.then(async () => {
      await this.#fence();
      await mkdir(dirname(this.#path), { recursive: true });
      // A torn line before this one must not swallow it.
      await appendFile(this.#path, `\n${JSON.stringify(entry)}\n`, { flush: true });
    });
    await this.#writing;
  }
}

/** A file's text; '' where there is none yet. */
export async function textOrEmpty(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return '';
    throw error;
  }
}

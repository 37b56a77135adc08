/** A corpus to search in: a file of passages that the user has, found by their words. */
import { closeSync, createReadStream, openSync, readSync } from 'node:fs';
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { parseSaid } from '../../shared/json.ts';
import { withoutMark } from '../../shared/text/byteOrderMark.ts';
import { codeOf } from '../../shared/systemError.ts';
import { textOfData } from '../offline/dataText.ts';
import { OptionError } from '../offline/offlineScorer.ts';
import { Bm25Builder, CorpusTooLarge, type Bm25 } from './bm25.ts';

/** One passage a line: with a title of its own, or as FlashRAG and Search-R1 have it, the title in quotes on the first line. */
const plainSchema = z.object({ title: z.string(), text: z.string() });
const contentsSchema = z.object({ contents: z.string() });

export interface Passage {
  title: string;
  text: string;
}

const newline = 10;
/** Of one passage, in bytes. */
const longestLine = 1_000_000;

/** Holds words and places; texts are read from the file when they are found. */
export class Corpus {
  readonly #path: string;
  readonly #starts: readonly number[];
  readonly #index: Bm25;

  private constructor(path: string, starts: readonly number[], index: Bm25) {
    this.#path = path;
    this.#starts = starts;
    this.#index = index;
  }

  /** @throws OptionError naming the file that is missing, damaged or too large */
  static async open(path: string): Promise<Corpus> {
    const builder = new Bm25Builder();
    const starts = [0];
    try {
      for await (const { line, end } of linesOf(path)) {
        const passage = passageIn(line);
        if (passage === null) throw new OptionError(l10n.t('{0}:{1} is no passage.', path, starts.length), remedy());
        builder.add(`${passage.title} ${passage.text}`);
        starts.push(end);
      }
      return new Corpus(path, starts, builder.done());
    } catch (error) {
      if (error instanceof CorpusTooLarge) {
        throw new OptionError(l10n.t('{0} cannot be held. {1}', path, error.message), l10n.t('Give a part of it.'));
      }
      if (error instanceof OptionError || codeOf(error) === '') throw error;
      throw new OptionError(l10n.t('The corpus {0} cannot be read.', path), remedy());
    }
  }

  /** How many passages there are. */
  get size(): number {
    return this.#index.size;
  }

  /** The best passages, the best first. @throws what reading throws where the file is gone; OptionError where it is another by now */
  search(query: string, most: number): Passage[] {
    const file = openSync(this.#path, 'r');
    try {
      return this.#index.search(query, most).flatMap((at) => this.#passage(file, at) ?? []);
    } finally {
      closeSync(file);
    }
  }

  #passage(file: number, at: number): Passage | null {
    const [start = 0, end = 0] = [this.#starts[at], this.#starts[at + 1]];
    const bytes = Buffer.alloc(end - start);
    readSync(file, bytes, 0, bytes.length, start);
    return passageIn(withoutMark(textOfData(bytes, this.#path, at + 1)));
  }
}

const remedy = (): string =>
  l10n.t(
    'A corpus has one object a line: {"title", "text"}, or {"contents"} with the title in quotes on its first line.',
  );

/** Null for what is none. A blank line is found by nothing. */
function passageIn(line: string): Passage | null {
  if (line.trim() === '') return { title: '', text: '' };
  const value = parseSaid(line);
  const { data } = contentsSchema.safeParse(value);
  if (data === undefined) return plainSchema.safeParse(value).data ?? null;
  const [title = '', ...text] = data.contents.split('\n');
  return { title: title.replace(/^"(.*)"$/, '$1'), text: text.join('\n') };
}

/** Each line with the place behind it, in bytes. */
async function* linesOf(path: string): AsyncGenerator<{ line: string; end: number }> {
  let held: Buffer[] = [];
  let size = 0;
  let end = 0;
  let number = 0;
  const taken = (): string => {
    number += 1;
    const line = textOfData(Buffer.concat(held), path, number);
    end += size;
    [held, size] = [[], 0];
    return line;
  };
  for await (const chunk of createReadStream(path)) {
    if (!Buffer.isBuffer(chunk)) continue;
    let from = 0;
    for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, from)) {
      held.push(chunk.subarray(from, at + 1));
      size += at + 1 - from;
      from = at + 1;
      const line = taken();
      yield { line, end };
    }
    held.push(chunk.subarray(from));
    size += chunk.length - from;
    if (size > longestLine)
      throw new OptionError(l10n.t('{0} has a line of more than {1} bytes.', path, longestLine), remedy());
  }
  if (size > 0) {
    const line = taken();
    yield { line, end };
  }
}

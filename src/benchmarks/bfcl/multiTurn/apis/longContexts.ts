import { Unfit } from '../../../rules/rule.ts';
import { readLongContext, type LongContext } from './longContext.ts';
import type { Opening } from '../turnsSpec.ts';

/** Additional data of the tools, by its folder. */
export class LongContexts {
  readonly #read: ReadonlyMap<string, LongContext>;

  constructor(read: ReadonlyMap<string, LongContext> = new Map()) {
    this.#read = read;
  }

  /** @throws OptionError naming a file that is missing */
  static async open(folders: readonly string[]): Promise<LongContexts> {
    const read = new Map<string, LongContext>();
    for (const folder of folders) read.set(folder, await readLongContext(folder));
    return new LongContexts(read);
  }

  /** Null where the tools hold no more. @throws Unfit where they do, and that was not read */
  of({ longContext: folder }: Pick<Opening, 'longContext'>): LongContext | null {
    if (folder === null) return null;
    const read = this.#read.get(folder);
    if (read === undefined) throw new Unfit(`${folder} was not read`);
    return read;
  }
}

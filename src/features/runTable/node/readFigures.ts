/** A run's journal, folded for the table. Families, the most of a journal, are passed over unread. */
import { EpochFold } from '../../../runs/facts/epochFold.ts';
import { lineBatches } from '../../../runs/files/jsonLines.ts';
import { eventOf } from '../../../runs/journal/eventLine.ts';
import { Breather } from '../../../runs/files/breather.ts';

/** How far a journal was read, and its fold. */
export class FigureReading {
  readonly fold = new EpochFold();
  readonly #path: string;
  #from = { offset: 0, number: 0 };

  constructor(path: string) {
    this.#path = path;
  }

  /** Reads the appended events. @throws RunError */
  async readOn(): Promise<void> {
    const breather = new Breather();
    for await (const batch of lineBatches(this.#path, this.#from)) {
      for (const { bytes, number, offset } of batch) {
        if (!isPassedOver(bytes)) this.fold.add(await eventOf(bytes, { path: this.#path, line: number + 1 }));
        this.#from = { offset: offset + bytes.byteLength + 1, number: number + 1 };
        await breather.breathe();
      }
    }
  }
}

/** An event's type stands among its first fields. */
const isPassedOver = (bytes: Buffer): boolean => {
  const head = bytes.toString('latin1', 0, 200);
  return head.includes('"type":"families.scored"') || head.includes('"type":"tasks.edited"');
};

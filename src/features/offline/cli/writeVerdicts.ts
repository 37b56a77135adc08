import { closeSync, openSync, writeFileSync } from 'node:fs';
import { intoPlace } from '../../../runs/export/intoPlace.ts';

type Lines = AsyncIterable<readonly string[]>;

export async function* textsOf(lines: Lines): AsyncGenerator<string> {
  for await (const some of lines) yield `${some.join('\n')}\n`;
}

/** The file appears when it is complete. @throws RunError, and the errors of the lines' source */
export async function writeToFile(lines: Lines, path: string): Promise<void> {
  await intoPlace(path, async (unfinished) => {
    const file = openSync(unfinished, 'w');
    try {
      for await (const text of textsOf(lines)) writeFileSync(file, text);
    } finally {
      closeSync(file);
    }
  });
}

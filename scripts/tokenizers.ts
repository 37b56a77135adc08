/** The embedded models' tokenizers as files, for programs that load them from a folder (part of `npm run build`). */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tokenizerFiles } from '../src/endpoints/embedded/tokenizerFiles.ts';
import { Vocabulary } from '../src/endpoints/embedded/vocabulary.ts';
import { readHeader } from '../src/endpoints/embedded/model/weights.ts';

export async function writeTokenizers(weights: string, out: string): Promise<void> {
  for (const name of ['agent', 'environment']) {
    const path = join(weights, `${name}.bin`);
    const { vocabulary, end, config } = readHeader(await readFile(path), path);
    await mkdir(join(out, name), { recursive: true });
    for (const [file, content] of Object.entries(tokenizerFiles(new Vocabulary(vocabulary, end), config.context))) {
      await writeFile(join(out, name, file), content);
    }
  }
}

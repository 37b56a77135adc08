/** Files of benchmarks' data, held to UTF-8: letters of another encoding would be judged as replacement characters. */
import { readFile } from 'node:fs/promises';
import * as l10n from '@vscode/l10n';
import { utf8Text } from '../../shared/text/utf8.ts';
import { OptionError } from './offlineScorer.ts';

/** @throws OptionError at the first line in another encoding; the system's errors */
export const dataText = async (path: string): Promise<string> => textOfData(await readFile(path), path);

/** The text of a file's bytes. @param first the line of the file that they begin at, from 1 @throws OptionError */
export const textOfData = (bytes: Uint8Array, path: string, first = 1): string =>
  utf8Text(bytes, ({ line, message, remedy }) => {
    const place = `${path}:${first - 1 + line}`;
    return new OptionError(l10n.t('{0} cannot be read: {1}.', place, message), remedy);
  });

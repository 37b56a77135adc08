/** Files that people wrote, held to UTF-8: decoded all the same, letters of another encoding would become replacement characters. */
import { readFile } from 'node:fs/promises';
import * as l10n from '@vscode/l10n';
import { utf8Text } from '../../shared/text/utf8.ts';
import { InputError } from './inputError.ts';

/**
 * A mark of UTF-8 at the beginning is kept. @param file as problems name it @param field that names it; '' for none
 * @throws InputError at the first line in another encoding; the system's errors
 */
export const strictText = async (path: string, file = path, field = ''): Promise<string> =>
  strictlyDecoded(await readFile(path), file, field);

/** The same of bytes that were read. @throws InputError */
export const strictlyDecoded = (bytes: Uint8Array, file: string, field = ''): string =>
  utf8Text(bytes, ({ line, message: why, remedy }) => {
    const message = l10n.t('The file cannot be read: {0}.', why);
    return new InputError([{ file, line, column: 1, field, message, remedy, severity: 'error' }]);
  });

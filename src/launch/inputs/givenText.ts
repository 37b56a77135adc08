/** The text of a file that a person named. */
import * as l10n from '@vscode/l10n';
import { codeOf } from '../../shared/systemError.ts';
import { InputError } from './inputError.ts';
import { strictText } from './strictText.ts';

/** @param file as problems name it @param remedy what to do, by whether there is no such file @throws InputError */
export async function givenText(
  path: string,
  file: string,
  remedy: (missing: boolean) => string | Promise<string>,
): Promise<string> {
  try {
    return await strictText(path, file);
  } catch (error) {
    if (error instanceof InputError) throw error;
    const code = codeOf(error);
    const missing = code === 'ENOENT' || code === 'ENOTDIR';
    const message = missing
      ? l10n.t('There is no such file.')
      : l10n.t('The file cannot be read ({0}).', code || String(error));
    const place = { file, line: 1, column: 1, field: '' };
    throw new InputError([{ ...place, message, remedy: await remedy(missing), severity: 'error' }]);
  }
}

/** An adapter from its file, ready to be used. */
import * as l10n from '@vscode/l10n';
import { readAdapter } from '../../benchmarks/adapter/readAdapter.ts';
import type { Adapter } from '../../shared/adapters/schema.ts';
import type { Problem } from '../../shared/experiment/problems/problem.ts';
import { codeOf } from '../../shared/systemError.ts';
import { absentFile, InputError, ofName } from '../inputs/inputError.ts';
import { messageOf } from '../../shared/messageOf.ts';
import { strictText } from '../inputs/strictText.ts';

/** @param file as problems name it; `field` of what names it. @throws InputError with everything that is wrong with it */
export async function readAdapterFile(
  path: string,
  file: string,
  field = '',
): Promise<{ adapter: Adapter; warnings: Problem[] }> {
  let text: string;
  try {
    text = await strictText(path, file);
  } catch (error) {
    if (error instanceof InputError) throw error;
    if (codeOf(error) === '') throw error;
    if (field !== '' && codeOf(error) === 'ENOENT') throw absentFile(file, field);
    const message = l10n.t('The file cannot be read: {0}.', messageOf(error));
    throw new InputError([ofName(file, field, message, l10n.t('Correct the path.'))]);
  }
  const { adapter, problems } = readAdapter(text, file);
  if (adapter === null) throw new InputError([...problems]);
  return { adapter, warnings: [...problems] };
}

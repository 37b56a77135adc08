import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { hiddenMarks } from '../text/hiddenMarks.ts';

/** A name that records give to a folder: never a way out of the folder around it, never an option of a command. */
export const folderName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, { error: () => l10n.t('A folder’s name has letters, digits, . _ and -.') });

/**
 * The name of a folder as it is found on a disk: people copy and rename runs. It is no way out of the folder around it,
 * no option of a command, and shows all its characters.
 */
export const foundFolder = z
  .string()
  .refine((name) => /^(?!\.{1,2}$|-)[^/\\\p{Cc}]+$/u.test(name) && hiddenMarks(name).length === 0, {
    error: () => l10n.t('A folder’s name is no path, does not begin with - and shows all its characters.'),
  });

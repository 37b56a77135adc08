import * as l10n from '@vscode/l10n';
import * as z from 'zod';

/** A name that records give to a folder: never a way out of the folder around it, never an option of a command. */
export const folderName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, { error: () => l10n.t('A folder’s name has letters, digits, . _ and -.') });

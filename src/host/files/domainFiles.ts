/** Which files are domains, and the one that a command is about. */
import * as vscode from 'vscode';
import { InputError } from '../../launch/inputs/inputError.ts';
import { domainLanguage } from '../../shared/domains/domainFile.ts';
import { currentText } from '../currentText.ts';
import { findPrograms, pickProgram, type ProgramKind } from '../pickProgram.ts';
import { isAdapter } from './adapterFiles.ts';

export const domainPattern = '**/*.domain.{ts,js,py}';

export const isDomain = ({ scheme, path }: vscode.Uri): boolean => scheme === 'file' && domainLanguage(path) !== null;

export const findDomains = (): Thenable<vscode.Uri[]> => findPrograms(domainPattern);

/** The file that was given, the one in front, the only one, else one that a person picks; undefined when none was. */
export const domainOf = (argument: unknown, title: string): Promise<vscode.Uri | undefined> =>
  pickProgram(argument, title, domainKind());

/** The same, where an adapter with a recipe will do, too. */
export const triedDomainOf = (argument: unknown, title: string): Promise<vscode.Uri | undefined> =>
  pickProgram(argument, title, {
    ...domainKind(),
    pattern: '**/*.{domain.ts,domain.js,domain.py,adapter.json}',
    isOne: (uri) => isDomain(uri) || (uri.scheme === 'file' && isAdapter(uri)),
    fits: async (uri) => !isAdapter(uri) || mayHaveRecipe(uri),
  });

/** Its text tells enough for a list: the command reads the adapter it is given, and says what is wrong with it. */
async function mayHaveRecipe(adapter: vscode.Uri): Promise<boolean> {
  try {
    return (await currentText(adapter)).includes('"recipe"');
  } catch (error) {
    if (error instanceof InputError) return true;
    throw error;
  }
}

const domainKind = (): ProgramKind => ({
  ...{ pattern: domainPattern, isOne: isDomain, command: 'genenv.newDomain' },
  none: vscode.l10n.t('There is no domain file in this workspace yet.'),
  create: vscode.l10n.t('New Domain…'),
});

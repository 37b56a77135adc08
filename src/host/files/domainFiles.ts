/** Which files are domains, and the one that a command is about. */
import * as vscode from 'vscode';
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
    // Its text tells enough for a list: the command reads the adapter it is given.
    fits: async (uri) => !isAdapter(uri) || (await currentText(uri)).includes('"recipe"'),
  });

const domainKind = (): ProgramKind => ({
  ...{ pattern: domainPattern, isOne: isDomain, command: 'genenv.newDomain' },
  none: vscode.l10n.t('There is no domain file in this workspace yet.'),
  create: vscode.l10n.t('New Domain…'),
});

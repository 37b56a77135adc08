/** Which files are domains, and the one that a command is about. */
import * as vscode from 'vscode';
import { domainLanguage } from '../../shared/domains/domainFile.ts';
import { findPrograms, pickProgram } from '../pickProgram.ts';

export const domainPattern = '**/*.domain.{ts,js,py}';

export const isDomain = ({ scheme, path }: vscode.Uri): boolean => scheme === 'file' && domainLanguage(path) !== null;

export const findDomains = (): Thenable<vscode.Uri[]> => findPrograms(domainPattern);

/** The file that was given, the one in front, the only one, else one that a person picks; undefined when none was. */
export const domainOf = (argument: unknown, title: string): Promise<vscode.Uri | undefined> =>
  pickProgram(argument, title, {
    ...{ pattern: domainPattern, isOne: isDomain, command: 'genenv.newDomain' },
    none: vscode.l10n.t('There is no domain file in this workspace yet.'),
    create: vscode.l10n.t('New Domain…'),
  });

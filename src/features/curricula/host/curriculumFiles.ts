/** Which files are curricula, and the one that a command is about. */
import * as vscode from 'vscode';
import { curriculumLanguage } from '../../../shared/curricula/curriculumFile.ts';
import { pickProgram } from '../../../host/pickProgram.ts';

export const curriculumPattern = '**/*.curriculum.{ts,js,py}';

const isCurriculum = ({ scheme, path }: vscode.Uri): boolean => scheme === 'file' && curriculumLanguage(path) !== null;

/** The file that was given, the one in front, the only one, else one that a person picks; undefined when none was. */
export const curriculumOf = (argument: unknown, title: string): Promise<vscode.Uri | undefined> =>
  pickProgram(argument, title, {
    ...{ pattern: curriculumPattern, isOne: isCurriculum, command: 'genenv.newCurriculum' },
    none: vscode.l10n.t('There is no curriculum file in this workspace yet.'),
    create: vscode.l10n.t('New Curriculum…'),
  });

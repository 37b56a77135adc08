/** Curriculum files in the editor: written, held to cases, stopped in. */
import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { CurriculumCaseResult } from '../../../rewards/curricula/testCases.ts';
import type { CurriculumCaseLine } from '../../../shared/curricula/cases.ts';
import { casesFile } from '../../../shared/rewards/cases.ts';
import { savedText } from '../../../host/currentText.ts';
import { saveChanges } from '../../../host/files/saveChanges.ts';
import { requireTrust } from '../../../host/runs/steerError.ts';
import { registerCases } from '../../../host/cases/registerCases.ts';
import type { ProgramCases } from '../../../host/cases/programCases.ts';
import { codeOf } from '../../../shared/systemError.ts';
import { curriculumCasesPattern, isCurriculumCases } from './curriculumCaseKind.ts';
import type { CurriculumCaseDeps } from './curriculumCaseTests.ts';
import { curriculumOf, curriculumPattern } from './curriculumFiles.ts';
import { registerCommand } from '../../../host/commands/registerCommand.ts';

const declared = /\b(?:function|const|let|var|def)\s+rewards\b|\bexports\.rewards\b/;

export function registerCurricula(
  context: vscode.ExtensionContext,
  deps: CurriculumCaseDeps,
): Promise<Pick<ProgramCases<CurriculumCaseLine>, 'controller' | 'profiles'>> {
  const { failures, debugWork } = deps;
  const failed = (): string => vscode.l10n.t('The curriculum was not debugged');
  context.subscriptions.push(
    registerCommand('genenv.newCurriculum', (argument: unknown): Promise<vscode.Uri | undefined> =>
      failures.guard(vscode.l10n.t('The curriculum was not written'), async () => {
        const uri = await (await import('./newCurriculum.ts')).newCurriculum(argument, context.extensionUri);
        if (uri !== undefined) await vscode.window.showTextDocument(uri);
        return uri;
      }),
    ),
    registerCommand(
      'genenv.debugCurriculum',
      (argument: unknown): Promise<readonly CurriculumCaseResult[] | undefined> =>
        failures.guard(failed(), async () => {
          requireTrust();
          const file = await curriculumOf(argument, vscode.l10n.t('Debug which curriculum?'));
          if (file === undefined) return undefined;
          const { casesProgram } = await import('./curriculumCaseTests.ts');
          const { readCurriculumCases } = await import('../../../shared/curricula/cases.ts');
          const text = await casesText(file);
          return debugWork(
            () => Promise.resolve(casesProgram(file, [...readCurriculumCases(text)])),
            undefined,
            failed,
          );
        }),
    ),
    vscode.languages.registerCodeLensProvider(
      { scheme: 'file', pattern: curriculumPattern },
      {
        provideCodeLenses: (document) => {
          const line = Math.max(
            0,
            document
              .getText()
              .split('\n')
              .findIndex((text) => declared.test(text)),
          );
          const command = { command: 'genenv.debugCurriculum', arguments: [document.uri] };
          const title = vscode.l10n.t('Debug on Its Cases');
          return [new vscode.CodeLens(new vscode.Range(line, 0, line, 0), { ...command, title })];
        },
      },
    ),
  );
  return registerCases(context, {
    ...{ pattern: curriculumCasesPattern, isCases: isCurriculumCases, failures },
    failed: () => vscode.l10n.t('The cases of curricula cannot be listed'),
    load: async () => (await import('./curriculumCaseTests.ts')).curriculumCaseTests(deps),
  });
}

/** The cases beside a curriculum, saved. @throws Error where there are none; InputError where they are not UTF-8 */
async function casesText(file: vscode.Uri): Promise<string> {
  const uri = file.with({ path: casesFile(file.path) });
  await saveChanges(uri);
  try {
    return await savedText(uri);
  } catch (error) {
    if (codeOf(error) !== 'FileNotFound') throw error;
    throw new Error(
      vscode.l10n.t('There is no {0} to stop on. Write a case there, then try again.', basename(uri.path)),
    );
  }
}

/** Cases of curriculum files, for the Test Explorer. */
import type * as vscode from 'vscode';
import { curriculumCaseName, readCurriculumCases, type CurriculumCaseLine } from '../../../shared/curricula/cases.ts';
import { casesFile } from '../../../shared/rewards/cases.ts';
import type { CaseKind } from '../../../host/cases/caseItems.ts';
import { isWorked } from '../../../host/cases/casesPlace.ts';
import { curriculumPattern } from './curriculumFiles.ts';

export const curriculumCasesPattern = '**/*.curriculum.cases.jsonl';

export const isCurriculumCases = (uri: vscode.Uri): boolean =>
  uri.path.endsWith('.curriculum.cases.jsonl') && isWorked(uri);

export const curriculumCaseKind: CaseKind<CurriculumCaseLine> = {
  ...{ casesPattern: curriculumCasesPattern, programPattern: curriculumPattern, isCases: isCurriculumCases },
  programsOf: (cases) =>
    ['ts', 'js', 'py'].map((ending) => cases.with({ path: cases.path.replace(/\.cases\.jsonl$/, `.${ending}`) })),
  casesOf: (program) => program.with({ path: casesFile(program.path) }),
  *linesOf(text) {
    const seen = new Map<string, number>();
    for (const line of readCurriculumCases(text)) {
      const name = 'case' in line ? curriculumCaseName(line.case) : 'fault';
      const more = (seen.get(name) ?? 0) + 1;
      seen.set(name, more);
      yield [more === 1 ? name : `${name} ${more}`, line];
    }
  },
  told: (line) =>
    'case' in line ? { label: curriculumCaseName(line.case), fault: '' } : { label: '', fault: line.fault },
};

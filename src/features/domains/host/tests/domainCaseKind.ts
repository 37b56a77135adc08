/** Cases of domain files and of adapters with a recipe, for the Test Explorer. */
import type * as vscode from 'vscode';
import { domainCaseName, readDomainCases, type DomainCaseLine } from '../../../../shared/domains/cases.ts';
import { casesFile } from '../../../../shared/rewards/cases.ts';
import type { CaseKind } from '../../../../host/cases/caseItems.ts';
import { isWorked } from '../../../../host/cases/casesPlace.ts';

export const domainCasesPattern = '**/*.{domain,adapter}.cases.jsonl';

export const isDomainCases = (uri: vscode.Uri): boolean =>
  /\.(?:domain|adapter)\.cases\.jsonl$/.test(uri.path) && isWorked(uri);

export const domainCaseKind: CaseKind<DomainCaseLine> = {
  casesPattern: domainCasesPattern,
  programPattern: '**/*.{domain.ts,domain.js,domain.py,adapter.json}',
  isCases: isDomainCases,
  programsOf: (cases) => {
    const endings = cases.path.endsWith('.adapter.cases.jsonl') ? ['json'] : ['ts', 'js', 'py'];
    return endings.map((ending) => cases.with({ path: cases.path.replace(/\.cases\.jsonl$/, `.${ending}`) }));
  },
  casesOf: (domain) => domain.with({ path: casesFile(domain.path) }),
  *linesOf(text) {
    const seen = new Map<string, number>();
    for (const line of readDomainCases(text)) {
      const name = 'case' in line ? domainCaseName(line.case) : 'fault';
      const more = (seen.get(name) ?? 0) + 1;
      seen.set(name, more);
      yield [more === 1 ? name : `${name} ${more}`, line];
    }
  },
  told: (line) => ('case' in line ? { label: domainCaseName(line.case), fault: '' } : { label: '', fault: line.fault }),
};

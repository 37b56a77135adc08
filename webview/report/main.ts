import { calibrationSection } from './calibration.ts';
import { contextOf } from './context.ts';
import { difficultySection } from './difficulty.ts';
import { domainsIn } from '../../src/shared/report/oneDomain.ts';
import { DomainChoice } from '../lib/domainChoice.ts';
import { effortSection } from './effort.ts';
import { headline } from './headline.ts';
import { learningSection } from './learning.ts';
import { phaseSection } from './phase.ts';
import { inTab } from './places.ts';
import { qualitySection } from './quality/quality.ts';
import { readReportData } from './reportData.ts';
import { samplesSection } from './samples.ts';
import { notesSection, setupSection } from './setup.ts';
import { showStudy } from '../study/report.ts';
import { updatesSection } from './updates.ts';

const main = document.getElementById('report');
const study = document.getElementById('study-data')?.textContent;
if (study === undefined) showRun();
else showStudy(main, study);

function showRun(): void {
  const data = readReportData();
  inTab(data.run.id);
  const choice = new DomainChoice(show);
  show(null);

  /** @param domain the one shown of several; null for all together. Figures of the whole run alone are left out */
  function show(domain: string | null): void {
    const context = contextOf(data, domain);
    main?.replaceChildren(
      headline(data),
      choice.node,
      calibrationSection(context),
      learningSection(context),
      phaseSection(context),
      difficultySection(context),
      qualitySection(context),
      ...(domain === null ? [updatesSection(context)] : []),
      effortSection(context),
      samplesSection(context),
      ...(domain === null ? [setupSection(context), notesSection(context)] : []),
    );
    choice.update(domainsIn(data.epochs), domain);
  }
}

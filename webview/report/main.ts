import { calibrationSection } from './calibration.ts';
import { contextOf } from './context.ts';
import { difficultySection } from './difficulty.ts';
import { effortSection } from './effort.ts';
import { headline } from './headline.ts';
import { learningSection } from './learning.ts';
import { qualitySection } from './quality.ts';
import { readReportData } from './reportData.ts';
import { samplesSection } from './samples.ts';
import { notesSection, setupSection } from './setup.ts';
import { updatesSection } from './updates.ts';

const context = contextOf(readReportData());
const main = document.getElementById('report');
main?.replaceChildren(
  headline(context.data),
  calibrationSection(context),
  learningSection(context),
  difficultySection(context),
  qualitySection(context),
  updatesSection(context),
  effortSection(context),
  samplesSection(context),
  setupSection(context),
  notesSection(context),
);

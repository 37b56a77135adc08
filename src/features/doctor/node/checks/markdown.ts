/** The doctor's report as a markdown document that can be pasted anywhere: it holds no key. */
import * as l10n from '@vscode/l10n';
import { inlineMarkdown } from '../../../../shared/text/markdown.ts';
import type { DoctorLine } from '../../../../endpoints/doctorLine.ts';

const marks: Record<DoctorLine['mark'], string> = { yes: '✓', no: '✗', unknown: '?' };

/** The part above the checklist. */
export interface DoctorHead {
  /** `tinker at http://127.0.0.1:8787, model genenv/agent`. */
  subject: string;
  /** ISO 8601. */
  at: string;
  /** GenEnv's own. */
  version: string;
}

/** One endpoint's part of a report. */
export const doctorHeading = ({ subject, at, version }: DoctorHead): string =>
  `# ${l10n.t('Endpoint Doctor')}: ${inlineMarkdown(subject)}\n\n${l10n.t('GenEnv {0}, {1}. ✓ works, ✗ does not, ? could not be told.', version, at)}\n`;

/** `- ✓ **Sampling** – 2 of 2 completions. A run …` */
export const doctorItem = ({ title, mark, evidence, meaning }: DoctorLine): string =>
  `- ${marks[mark]} **${inlineMarkdown(title)}**: ${inlineMarkdown(evidence)}\n  ${inlineMarkdown(meaning)}`;

/** The verdict of the lines. */
export function doctorVerdict(lines: readonly DoctorLine[]): string {
  const count = (mark: DoctorLine['mark']): number => lines.filter((line) => line.mark === mark).length;
  const counts = `${count('yes')} ✓, ${count('no')} ✗, ${count('unknown')} ?`;
  const bad = lines.filter(({ mark }) => mark === 'no').map(({ title }) => title);
  return bad.length === 0
    ? `${l10n.t('{0}: nothing was found that would keep a run from working.', counts)}\n`
    : `${l10n.t('{0}. To fix: {1}.', counts, bad.map(inlineMarkdown).join(', '))}\n`;
}

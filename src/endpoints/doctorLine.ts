/** One line of the doctor's checklist: what was tried, what came of it, and what that means for a run. */
import * as l10n from '@vscode/l10n';
import { messageOf } from '../shared/messageOf.ts';

export interface DoctorLine {
  /** The requirement of a run, in a few words. */
  title: string;
  /** `unknown`: it could not be told, or was not tried. */
  mark: 'yes' | 'no' | 'unknown';
  /** The observation: numbers, names, the server's own words. */
  evidence: string;
  /** The consequence for a run. */
  meaning: string;
}

export const yes = (title: string, evidence: string, meaning: string): DoctorLine => ({
  ...{ title, mark: 'yes', evidence, meaning },
});

export const no = (title: string, evidence: string, meaning: string): DoctorLine => ({
  ...{ title, mark: 'no', evidence, meaning },
});

export const unknown = (title: string, evidence: string, meaning: string): DoctorLine => ({
  ...{ title, mark: 'unknown', evidence, meaning },
});

/** The line of a check that broke off: the error's own words, with its remedy. */
export function broken(title: string, error: unknown): DoctorLine {
  const message = messageOf(error);
  const remedy = error instanceof Error && 'remedy' in error && typeof error.remedy === 'string' ? error.remedy : '';
  const said = remedy !== '' && message.endsWith(remedy) ? message.slice(0, -remedy.length).trimEnd() : message;
  return no(title, said, remedy === '' ? l10n.t('A run would break off here.') : remedy);
}

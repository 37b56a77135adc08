/** Attempts of an evaluation as documents: laid out as a run's traces are, and read from the evaluation's own folder. */
import * as vscode from 'vscode';
import { answerScheme, placeOf } from '../../../host/documents/layout/place.ts';
import { RecordFiles } from '../../../host/documents/recordFiles.ts';
import { registerRecordProviders } from '../../../host/documents/recordProviders.ts';
import type { Failures } from '../../../host/feedback/failures.ts';

export function registerAnswers(extensionUri: vscode.Uri, failures: Failures): vscode.Disposable {
  const answers = new RecordFiles(answerScheme, async (uri) => {
    const { run: folder, id } = placeOf(uri);
    return (await import('./answerLayout.ts')).layAnswer(folder, id);
  });
  const fail = (error: unknown): void => void failures.tell(vscode.l10n.t('The verdicts were not marked'), error);
  return vscode.Disposable.from(answers, registerRecordProviders(extensionUri, { [answerScheme]: answers }, fail));
}

import type * as vscode from 'vscode';
import { readExperimentText, type ExperimentReading } from '../../../shared/experiment/text/reading.ts';
import { JsonDocument } from '../../../host/jsonDocument.ts';

/** An experiment file open in the editor. */
export class ExperimentDocument extends JsonDocument<ExperimentReading> {
  constructor(document: vscode.TextDocument) {
    super(document, readExperimentText);
  }
}

/** The settings that say where spans of rollouts go. No workspace can set them. */
import * as vscode from 'vscode';
import { keyReferencePattern } from '../../shared/experiment/endpoints/keyField.ts';
import type { TracesSettings } from '../../launch/traced/target.ts';

export function tracesSettings(): TracesSettings {
  const settings = vscode.workspace.getConfiguration('genenv.traces');
  const key = settings.get<string>('key', '').trim();
  return {
    url: settings.get<string>('endpoint', '').trim(),
    key: keyReferencePattern.test(key) ? key : null,
    content: settings.get<boolean>('content', false),
  };
}

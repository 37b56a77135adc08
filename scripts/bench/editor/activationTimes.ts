/** What VS Code itself measured of an extension's activation: its startup performance document. */
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';

export interface ActivationTimes {
  loadCode: number;
  callActivate: number;
  finishActivate: number;
}

/** In milliseconds. @throws Error when the document does not tell */
export async function activationTimes(extension: string): Promise<ActivationTimes> {
  await vscode.commands.executeCommand('perfview.show');
  for (let tries = 0; tries < 100; tries++) {
    const text = vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === 'perf')?.getText() ?? '';
    const row = text.split('\n').find((line) => line.startsWith(`| ${extension} `));
    const [, , , loadCode, callActivate, finishActivate] = (row ?? '').split('|').map(Number);
    if (loadCode !== undefined && callActivate !== undefined && finishActivate !== undefined)
      return { loadCode, callActivate, finishActivate };
    await sleep(100);
  }
  throw new Error(`VS Code does not tell how ${extension} was activated.`);
}

import * as vscode from 'vscode';

/** The log channel "GenEnv"; its level is set with "Developer: Set Log Level…". */
export const createLog = (): vscode.LogOutputChannel => vscode.window.createOutputChannel('GenEnv', { log: true });

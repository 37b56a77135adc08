import { basename } from 'node:path';
import * as vscode from 'vscode';
import { readAdapter } from '../../../benchmarks/adapter/readAdapter.ts';
import { dataFolder } from '../../../launch/adapters/locate.ts';
import { InputError } from '../../../launch/inputs/inputError.ts';
import type { Adapter } from '../../../shared/adapters/schema.ts';
import { currentText } from '../../../host/currentText.ts';
import { chooseFolder } from './adapterEditor.ts';
import { resolve, dirname } from 'node:path';

/** An adapter in its current text, and the absolute folder of its data; a dialog asks for it where none is named. */
export interface ReadyAdapter {
  adapter: Adapter;
  folder: string;
}

/** Undefined when no folder was chosen. @throws InputError when something is wrong with the file */
export async function readyAdapter(uri: vscode.Uri): Promise<ReadyAdapter | undefined> {
  const { adapter, problems } = readAdapter(await currentText(uri), basename(uri.path));
  if (adapter === null) throw new InputError([...problems]);
  const named = dataFolder(uri.fsPath, adapter.data);
  if (named !== null) return { adapter, folder: named };
  void vscode.window.setStatusBarMessage(adapter.data.obtain, 20_000);
  const chosen = await chooseFolder(uri);
  return chosen === null ? undefined : { adapter, folder: resolve(dirname(uri.fsPath), chosen) };
}

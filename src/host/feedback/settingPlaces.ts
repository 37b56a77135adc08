/** Where the settings of a run are written, for messages about them. */
import { join } from 'node:path';
import * as vscode from 'vscode';
import { strictText } from '../../launch/inputs/strictText.ts';
import { sourceOf } from '../../runs/store/runPaths.ts';
import { readJson } from '../../shared/experiment/text/jsonText.ts';
import type { FollowedRun } from '../runs/runs.ts';

interface Places {
  uri: vscode.Uri;
  rangeOf: (field: string) => vscode.Range;
}

/** The experiment file that the run came from; its own copy when that is gone or cannot be read. */
export async function placesOf({ dir, manifest }: FollowedRun): Promise<Places> {
  const source = sourceOf(dir, manifest);
  const own = source === null ? null : await placesIn(source, []);
  const copy = own ?? (await placesIn(join(dir, 'run.json'), ['experiment']));
  return copy ?? { uri: vscode.Uri.file(join(dir, 'run.json')), rangeOf: () => new vscode.Range(0, 0, 0, 0) };
}

async function placesIn(path: string, prefix: readonly string[]): Promise<Places | null> {
  const uri = vscode.Uri.file(path);
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  const text = open?.getText() ?? (await strictText(path).catch(() => null));
  const reading = text === null ? null : readJson(text, path);
  if (text === null || reading?.ok !== true) return null;
  const lines = text.split(/\r\n|\r|\n/);
  return {
    uri,
    rangeOf(field) {
      const { line, column } = reading.json.placeOfName([...prefix, ...field.split('.')]);
      const token = /^("(?:[^"\\]|\\.)*"|\S)/.exec((lines[line - 1] ?? '').slice(column - 1))?.[0] ?? '';
      return new vscode.Range(line - 1, column - 1, line - 1, column - 1 + token.length);
    },
  };
}

export async function reveal(run: FollowedRun, field: string): Promise<void> {
  const { uri, rangeOf } = await placesOf(run);
  await vscode.window.showTextDocument(uri, { selection: rangeOf(field) });
}

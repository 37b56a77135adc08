import * as vscode from 'vscode';
import { strictlyDecoded } from '../launch/inputs/strictText.ts';
import { withoutMark } from '../shared/text/byteOrderMark.ts';

/** A file's text in the editor, with unsaved changes; else on disk. @throws FileSystemError; InputError as `savedText` */
export async function currentText(uri: vscode.Uri): Promise<string> {
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  // Of a document without changes the disk has the bytes: the editor shows other encodings with replacement characters.
  return open !== undefined && (open.isDirty || open.isUntitled) ? open.getText() : savedText(uri);
}

/** A file's text on disk, without a byte order mark, as the editor gives it. @throws FileSystemError; InputError at the first line that is not UTF-8 */
export const savedText = async (uri: vscode.Uri): Promise<string> =>
  withoutMark(strictlyDecoded(await vscode.workspace.fs.readFile(uri), uri.fsPath));

/**
 * JSON Schemas of the files that people write, for completion and hovers in the editor's language. The manifest names their
 * addresses: a file of the package would be English in every window.
 */
import * as vscode from 'vscode';
import { schemaInWords } from '../../shared/schemaInWords.ts';

/** By the name of the schema's file. `describe`: what the field at a path means. */
export type SchemaSources = Readonly<Record<string, (describe: (path: string) => string) => Promise<object>>>;

export function registerSchemas({ subscriptions }: vscode.ExtensionContext, sources: SchemaSources): void {
  const provideTextDocumentContent = async ({ path }: vscode.Uri): Promise<string> => {
    const source = sources[path.slice(1)];
    if (source === undefined) throw new Error(vscode.l10n.t('GenEnv has no schema “{0}”.', path));
    const { fieldInWords } = await import('../../shared/experiment/text/fieldInWords.ts');
    return JSON.stringify(schemaInWords(await source(fieldInWords)));
  };
  subscriptions.push(
    vscode.workspace.registerTextDocumentContentProvider('genenv-schema', { provideTextDocumentContent }),
  );
}

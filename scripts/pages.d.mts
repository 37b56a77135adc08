/** Names of the editor's pages. */
export const pages: readonly string[];

/** The style sheet that each page loads before its own. */
export const baseSheet: string;
/** Writes every page's module, style sheet and the chunks that they share. */
export function bundlePages(outdir: string, minify: boolean): Promise<void>;
/** Files in `outdir` that a built page loads, at once or ever: its module and the chunks that this imports. */
export function modulesOf(outdir: string, name: string, when?: 'at once' | 'ever'): string[];

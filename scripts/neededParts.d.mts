/** The part of esbuild's result that `withNeededAlone` reads and changes. */
export interface Built {
  outputFiles: readonly { path: string; text: string }[];
  metafile: { outputs: Record<string, { imports: { path: string; kind: string }[] }> };
}
export function withNeededAlone(built: Built): Map<string, string>;

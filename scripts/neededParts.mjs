// esbuild lets every entry of a split program ask for all parts that it may reach: most of a bundle's requests, although
// whoever uses a part's names asks for it anyway. Without them a part asks for those alone whose names it uses.
import { basename } from 'node:path';

/** Requests stand at a part's beginning, one after another. */
const asking = /\s*(?:import|export)\s*(?:[^"';]*?\bfrom\s*|\*\s*from\s*)?"([^"]+)";/y;

/**
 * Takes from each entry's code and metadata the requests for parts that it reaches by names too. A part that is asked for
 * without names alone stays: it may be there for what it does. Places in the code stay where they were, for the maps.
 * @param {{ outputFiles: readonly { path: string, text: string }[], metafile: import('esbuild').Metafile }} built
 * @returns {Map<string, string>} codes by the parts' paths
 */
export function withNeededAlone({ outputFiles, metafile }) {
  const outputs = new Map(Object.entries(metafile.outputs).map(([path, output]) => [basename(path), output]));
  const parts = outputFiles.map(({ path, text }) => ({ path, text, asks: requestsOf(text) }));
  const byName = new Map(parts.map(({ path, asks }) => [basename(path), asks.filter(({ bare }) => !bare)]));
  return new Map(
    parts.map(({ path, text, asks }) => {
      const reached = reachedFrom(basename(path), byName);
      const spare = asks.filter(({ bare, name }) => bare && reached.has(name));
      const gone = new Set(spare.map(({ name }) => name));
      const output = outputs.get(basename(path));
      output.imports = output.imports.filter(
        ({ path: to, kind }) => kind !== 'import-statement' || !gone.has(basename(to)),
      );
      return [path, spare.reduce(blank, text)];
    }),
  );
}

/** @param {string} text */
function requestsOf(text) {
  const asks = [];
  asking.lastIndex = 0;
  for (let found; (found = asking.exec(text)) !== null;) {
    const [whole, file] = found;
    asks.push({ name: basename(file), bare: /^\s*import\s*"/.test(whole), from: found.index, to: asking.lastIndex });
  }
  return asks;
}

/** @param {string} first @param {ReadonlyMap<string, readonly { name: string }[]>} asked */
function reachedFrom(first, asked) {
  const reached = new Set([first]);
  for (const part of reached) for (const { name } of asked.get(part) ?? []) reached.add(name);
  return reached;
}

/** @param {string} text @param {{ from: number, to: number }} place */
const blank = (text, { from, to }) =>
  text.slice(0, from) + text.slice(from, to).replaceAll(/[^\n]/g, ' ') + text.slice(to);

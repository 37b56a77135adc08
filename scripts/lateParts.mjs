// Parts that another part asks for when it first uses them, not when it begins: a schema that is built with its first message
// brings zod with that message.
import { basename } from 'node:path';

/**
 * Names of the chunks that are such, or that import such at once.
 * @param {esbuild.Metafile} metafile
 * @param {(name: string) => boolean} isSuch
 */
export function reaching({ outputs }, isSuch) {
  const found = new Map();
  const reaches = (path) => {
    if (found.has(path)) return found.get(path);
    const own = outputs[path].entryPoint === undefined && isSuch(path);
    found.set(path, own);
    const imports = outputs[path].imports.filter(({ kind, external }) => kind === 'import-statement' && !external);
    // Each is asked, so that all are found.
    const through = imports.map(({ path: next }) => reaches(next)).includes(true);
    found.set(path, own || through);
    return own || through;
  };
  for (const path of Object.keys(outputs)) reaches(path);
  return new Set([...found].filter(([, late]) => late).map(([path]) => basename(path)));
}

/**
 * A part that asks for these others when it first uses them. Every place in it stays where it was, for the maps.
 * @param {string} code
 * @param {ReadonlySet<string>} others names of parts
 */
export function requiredLate(code, others) {
  const asked = [];
  const rest = code.replaceAll(declared, (whole, name, require, file) => {
    // Handed on as a whole, it cannot come later.
    if (!others.has(file) || new RegExp(`\\bimport_${name}\\b(?! = |\\.)`).test(code)) return whole;
    asked.push(name);
    return `var _${name};function l_${name}(){return _${name}??=${require}}`;
  });
  // In brackets: `new` would take the call for its own. With the space it is as long as before.
  return asked.reduce(
    (text, name) => text.replaceAll(new RegExp(`\\bimport_${name}\\.`, 'g'), ` (l_${name}()).`),
    rest,
  );
}

/** How esbuild asks for another part: its name, the call, the file. */
const declared = /^var import_(\w+) = (require\("[^"]*?([^"/]+)"\));$/gm;

/** TypeScript, and JavaScript that says the types of a domain's functions in comments. */
export interface Dialect {
  /** The part that JavaScript leaves out. */
  ts: (text: string) => string;
  /** The beginning of a domain's function, with its type and so with its hover in the editor. */
  exported: (name: string, type: string) => string;
}

export const typescript: Dialect = {
  ts: (text) => text,
  exported: (name, type) => `export const ${name}: ${type} =`,
};

export const javascript: Dialect = {
  ts: () => '',
  exported: (name, type) =>
    `/** @type {import('./genenv-domain').${type.replace(/<.*>/, '')}} */\nexport const ${name} =`,
};

// zod without its writer of JSON Schema, a fifth of it, for whatever never calls `z.toJSONSchema`: every class of zod refers to
// the writer. Here they refer to a table. A source that has the call brings the writer, which fills the table.
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const table = 'late-json-schema';
const filled = `${table}/filled`;
const take = `import { writer } from "${table}";`;

/** What files of zod say of the writer, and what they say here. @type {readonly [RegExp, readonly [string, string][]][]} */
const referring = [
  [
    /[\\/]zod[\\/]v4[\\/]classic[\\/]schemas\.js$/,
    [
      ['import * as processors from "../core/json-schema-processors.js";', `${take} const processors = writer;`],
      [
        'import { createStandardJSONSchemaMethod, createToJSONSchemaMethod } from "../core/to-json-schema.js";',
        'const createStandardJSONSchemaMethod = (...given) => writer.createStandardJSONSchemaMethod(...given);' +
          'const createToJSONSchemaMethod = (...given) => writer.createToJSONSchemaMethod(...given);',
      ],
    ],
  ],
  [
    /[\\/]zod[\\/]v4[\\/]classic[\\/]external\.js$/,
    [
      [
        'export { toJSONSchema } from "../core/json-schema-processors.js";',
        `${take} export const toJSONSchema = (...given) => writer.toJSONSchema(...given);`,
      ],
    ],
  ],
  [
    /[\\/]zod[\\/]v4[\\/]core[\\/]index\.js$/,
    [
      ['export * from "./to-json-schema.js";', ''],
      ['export { toJSONSchema } from "./json-schema-processors.js";', ''],
      ['export { JSONSchemaGenerator } from "./json-schema-generator.js";', ''],
    ],
  ],
];

/** @type {import('esbuild').Plugin} */
export const lateJsonSchema = {
  name: table,
  setup(build) {
    build.onResolve({ filter: /^late-json-schema/ }, ({ path, importer }) => ({
      path,
      namespace: table,
      pluginData: dirname(importer),
    }));
    build.onLoad({ filter: /^late-json-schema$/, namespace: table }, () => ({ contents: 'export const writer = {};' }));
    build.onLoad({ filter: /filled$/, namespace: table }, async ({ pluginData: resolveDir }) => {
      const core = dirname(fileURLToPath(import.meta.resolve('zod/v4/core')));
      const from = (name) => `from ${JSON.stringify(join(core, name))};`;
      const contents = `${take} import * as processors ${from('json-schema-processors.js')}
import { createStandardJSONSchemaMethod, createToJSONSchemaMethod } ${from('to-json-schema.js')}
Object.assign(writer, { createStandardJSONSchemaMethod, createToJSONSchemaMethod, ...processors });`;
      return { contents, resolveDir };
    });
    for (const [filter, changes] of referring) {
      build.onLoad({ filter }, async ({ path }) => {
        let contents = await readFile(path, 'utf8');
        for (const [before, after] of changes) {
          if (!contents.includes(before)) return { errors: [{ text: `${path}: see scripts/lateJsonSchema.mjs` }] };
          contents = contents.replace(before, after);
        }
        return { contents };
      });
    }
    build.onLoad({ filter: /[\\/](?:src|webview)[\\/].*\.ts$/ }, async ({ path }) => {
      const code = await readFile(path, 'utf8');
      return code.includes('z.toJSONSchema(') ? { contents: `import "${filled}";${code}`, loader: 'ts' } : undefined;
    });
  },
};

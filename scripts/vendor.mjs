// Packages in the bundles: their code is made as small as it can be (ours keeps its names, for stack traces in logs), and
// of `openai`, whose client refers to every call of the hosted service, only the calls that are made come along.
import { readFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import * as esbuild from 'esbuild';

const sdk = /[\\/]openai[\\/]/;
const client = /[\\/]openai[\\/]client\.mjs$/;
const calls = /[\\/]openai[\\/]resources[\\/]/;
const runners = /\/lib\/(ChatCompletion|AbstractChatCompletion)\w+\.mjs$/;
const index = './resources/index.mjs';
/** Signing in by certificates and by a cloud's identity: keys alone are sent. */
const otherProofs = new Map([
  ['workload-identity-auth.mjs', 'export class WorkloadIdentityAuth {}'],
  [
    'x509-workload-identity-auth.mjs',
    'export class X509WorkloadIdentityAuth {} export const isX509WorkloadIdentity = () => false;' +
      'export const assertX509RequestOptions = () => {}; export const snapshotX509RequestOptions = (options) => options;',
  ],
]);
const made = new Map([
  ['Chat', './resources/chat/chat.mjs'],
  ['Completions', './resources/completions.mjs'],
]);

/** The names that a module imports of another. @param {string} source @param {string} path */
function taken(source, path) {
  if (path === index) return [...source.matchAll(/\bAPI\.(\w+)/g)].map(([, name]) => name);
  const clauses = [...source.matchAll(/(?:import|export)\s*\{([^}]*)\}\s*from\s*["']([^"']+)["']/g)];
  const names = clauses.filter(([, , from]) => from === path).flatMap(([, clause]) => clause.split(','));
  return names.map((name) => name.trim().split(/\s/)[0]).filter(Boolean);
}

/** @type {esbuild.Plugin} */
const onlyCallsMade = {
  name: 'only-calls-made',
  setup(build) {
    let asked = false;
    let left = 0;
    const spared = new Set();
    build.onResolve({ filter: /^openai\/client$/ }, () => {
      asked = true;
      return undefined;
    });
    build.onResolve({ filter: /^\.{1,2}\/.*\.mjs$/ }, ({ path, importer }) => {
      const proof = basename(path);
      if (sdk.test(importer) && otherProofs.has(proof)) {
        spared.add(proof);
        return { path: proof, namespace: 'other-proofs' };
      }
      const call = client.test(importer) && path.startsWith('./resources/') && ![...made.values()].includes(path);
      if (!call && !(calls.test(importer) && runners.test(path))) return undefined;
      left += 1;
      return { path: `${importer}:${path}`, namespace: 'left-out', pluginData: { path, importer } };
    });
    // The client makes one of every class when it is made: what is left out is an empty one.
    build.onLoad({ filter: /.*/, namespace: 'left-out' }, async ({ pluginData: { path, importer } }) => {
      const names = new Set(taken(await readFile(importer, 'utf8'), path));
      const lines = [...names].map((name) => {
        const file = path === index ? made.get(name) : undefined;
        return file === undefined ? `export class ${name} {}` : `export { ${name} } from '${file}';`;
      });
      return { contents: lines.join('\n'), resolveDir: dirname(importer) };
    });
    build.onLoad({ filter: /.*/, namespace: 'other-proofs' }, ({ path }) => ({ contents: otherProofs.get(path) }));
    build.onEnd(() => {
      // Another release may have its files elsewhere, and would come whole.
      const isOther = left < 20 || spared.size < otherProofs.size;
      const errors = asked && isOther ? [{ text: 'openai has changed its files: see scripts/vendor.mjs' }] : [];
      return { errors };
    });
  },
};

/** @type {esbuild.Plugin} */
const small = {
  name: 'small-packages',
  setup(build) {
    build.onLoad({ filter: /[\\/]node_modules[\\/].*\.m?js$/ }, async ({ path }) => {
      const { code } = await esbuild.transform(await readFile(path, 'utf8'), { minify: true, logLevel: 'silent' });
      return { contents: code };
    });
  },
};

/**
 * The SDK of the Model Context Protocol brings a validator of JSON Schemas for forms that a server shows, which ours does not.
 * @type {esbuild.Plugin}
 */
const noValidator = {
  name: 'no-validator',
  setup(build) {
    build.onResolve({ filter: /^@modelcontextprotocol\/server\/_shims$/ }, ({ path }) => ({
      path,
      namespace: 'no-validator',
    }));
    build.onLoad({ filter: /.*/, namespace: 'no-validator' }, () => ({
      contents:
        "export class DefaultJsonSchemaValidator { getValidator() { throw new Error('GenEnv shows no forms.'); } }" +
        "export { default as process } from 'node:process';",
    }));
  },
};

export const vendor = [onlyCallsMade, noValidator, small];

/** The extension as one .vsix: what must be in it is there, nothing else is, and it is small. */
import { copyFile, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, posix, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createVSIX } from '@vscode/vsce';
import * as z from 'zod';
import { baseSheet, modulesOf, pages } from '../pages.mjs';
import { docPages } from '../docPages.ts';
import { addressFields, addressOf, repositoryOf, standalone, type Repository } from '../repository.ts';
import { unignored } from './unignored.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const limit = 3_000_000;

/** The extension's page in VS Code: the README addresses readers with the sources, and its pictures need an address. */
const page = 'docs/extension.md';

/** Threads, whose chunks lie in `dist/workers`. */
const workers = ['embedded', 'search', 'parquet', 'tokens'].map((name) => `dist/${name}-worker.js`);

/** Files that the code opens by name. Everything that the manifest names is added. */
const required = [
  'package.json',
  'package.nls.json',
  // The English texts of pages and messages are the keys of every other language's.
  'package.nls.de.json',
  'l10n/bundle.l10n.de.json',
  page,
  'CHANGELOG.md',
  'LICENSE',
  'dist/reward-worker.js',
  'dist/reward-worker.py',
  ...['base', 'calculation', 'domain', 'heldOut', 'numbers', 'seeds'].map((part) => `dist/domains/stories.${part}.ts`),
  'dist/domains/reasoning.domain.py',
  ...['alfworld', 'apiBank', 'bamboogle', 'bfcl', 'storekeeper', 'travelPlanner'].map(
    (name) => `dist/domains/${name}.domain.ts`,
  ),
  'dist/domains/asking.ts',
  'media/curricula/genenv-curriculum.d.ts',
  'media/curricula/genenv_curriculum.pyi',
  'media/domains/genenv-domain.d.ts',
  'media/domains/genenv_domain.pyi',
  'media/rewards/genenv-reward.d.ts',
  'media/rewards/genenv_reward.pyi',
  'dist/kernels.wasm',
  'dist/treeSitter.wasm.br',
  'dist/report.js',
  'dist/report.css',
  'dist/weights/agent.bin',
  'dist/weights/environment.bin',
  'demo/embedded.genenv.json',
  ...[
    ...[
      'alfworld',
      'alfworld-steps',
      'api-bank',
      'api-bank-dialogues',
      'bamboogle',
      'bamboogle-search',
      'bfcl',
      'bfcl-multi-turn',
      'bfcl-relevance',
    ],
    ...['bfcl-long-context-turns', 'travelplanner'],
  ].map((name) => `media/adapters/${name}.adapter.json`),
];

/** Further allowed files: names that a build or a translator chooses. */
const allowed = [
  /^dist\/webviews\/codicon-[A-Z0-9]+\.ttf$/,
  /^package\.nls\.[a-z-]+\.json$/,
  /^l10n\/bundle\.l10n\.[a-z-]+\.json$/,
  /^media\/(icons\/)?[\w-]+\.svg$/,
  /^media\/walkthrough\/[\w-]+\.(svg|md)$/,
  /^demo\/[\w-]+\.genenv\.json$/,
];

const manifestSchema = z.looseObject({ name: z.string(), version: z.string(), main: z.string(), ...addressFields });

export interface Package {
  file: string;
  bytes: number;
  files: number;
}

/** @throws Error that names what is missing, what is too much, how large it is, or an address that is none */
export async function packageExtension(out?: string): Promise<Package> {
  const manifest = manifestSchema.parse(JSON.parse(await readFile(join(root, 'package.json'), 'utf8')));
  const repository = repositoryOf(manifest);
  // vsce lists the README whether it is packaged or not.
  const files = (await unignored(root)).filter((name) => name !== 'README.md');
  const parts = await partsOf(manifest.main, 'dist/runner.cjs', 'dist/agents.cjs', 'dist/genenv.cjs', ...workers);
  const wanted = new Set([...required, ...(await docPages(root)), ...namedIn(manifest), ...parts, ...filesOfPages()]);
  const missing = [...wanted].filter((name) => !files.includes(name));
  const extra = files.filter((name) => !wanted.has(name) && !allowed.some((pattern) => pattern.test(name)));
  if (missing.length > 0) throw new Error(`The package lacks ${missing.join(', ')}.`);
  if (extra.length > 0) throw new Error(`The package should not hold ${extra.join(', ')}.`);
  const file = resolve(root, out ?? `${manifest.name}-${manifest.version}.vsix`);
  const staged = await mkdtemp(join(tmpdir(), 'genenv-package-'));
  try {
    for (const name of [...files, '.vscodeignore']) await stage(name, staged, repository);
    await createVSIX({
      cwd: staged,
      packagePath: file,
      dependencies: false,
      allowMissingRepository: repository === undefined,
      readmePath: page,
      rewriteRelativeLinks: false,
    });
  } finally {
    await rm(staged, { recursive: true });
  }
  const { size } = await stat(file);
  if (size > limit) throw new Error(`The package is ${size} bytes; it may be ${limit}.`);
  return { file, bytes: size, files: files.length };
}

/** Texts that are the same in both languages stand in the code; like texts next to each other take less room. */
const translatedOf = (bundle: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(z.record(z.string(), z.string()).parse(bundle))
      .filter(([english, text]) => english !== text)
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );

/** Copies a file of the package; JSON that only programs read goes without its indentation. */
async function stage(name: string, folder: string, repository?: Repository): Promise<void> {
  const [from, to] = [join(root, name), join(folder, name)];
  await mkdir(dirname(to), { recursive: true });
  if (name === page) return writeFile(to, standalone(await readFile(from, 'utf8'), dirname(page), repository));
  if (!/^l10n\/.*\.json$|^package(?:\.nls[.\w-]*)?\.json$/.test(name)) return copyFile(from, to);
  const json = z.record(z.string(), z.unknown()).parse(JSON.parse(await readFile(from, 'utf8')));
  const address = name === 'package.json' ? addressOf(repository) : {};
  await writeFile(to, JSON.stringify(name.startsWith('l10n/') ? translatedOf(json) : { ...json, ...address }));
}

/** The files of the bundle: what its entries require or import, now or with their first use, and what those do. */
async function partsOf(...entries: readonly string[]): Promise<Set<string>> {
  const parts = new Set(entries.map((entry) => posix.normalize(entry)));
  for (const part of parts) {
    const code = await readFile(join(root, part), 'utf8');
    for (const [, name = ''] of code.matchAll(/(?:\brequire\(|\bfrom|\bimport\(?)\s*"(\.{1,2}\/[^"]+)"/g))
      parts.add(posix.join(posix.dirname(part), name));
  }
  return parts;
}

const filesOfPages = (): string[] =>
  [baseSheet, ...pages.flatMap((name) => [`${name}.css`, ...modulesOf(join(root, 'dist/webviews'), name)])].map(
    (file) => `dist/webviews/${file}`,
  );

/** Files that the manifest names: entry, icons, schemas, pictures of the walkthrough. */
function namedIn(value: unknown): string[] {
  if (typeof value === 'string')
    return /^(\.\/)?(dist|media|syntaxes)\/[\w./-]+\.\w+$/.test(value) ? [value.replace(/^\.\//, '')] : [];
  if (typeof value !== 'object' || value === null) return [];
  // The command line is for a clone, not for the editor.
  return Object.entries(value).flatMap(([key, inner]) => (key === 'bin' || key === 'scripts' ? [] : namedIn(inner)));
}

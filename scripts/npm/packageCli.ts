/** The command line as an npm package without dependencies: a folder of what it needs, packed by npm. */
import { execFile } from 'node:child_process';
import { copyFile, cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as z from 'zod';
import { addressFields, addressOf, repositoryOf } from '../repository.ts';
import { cliFiles } from './cliFiles.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const limit = 3_000_000;

/** The package's page in a registry: the README addresses readers with the sources. */
const page = 'docs/cli.md';

/** Fields that the package has in common with the extension; those that the extension lacks, it lacks too. */
const manifestSchema = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string(),
  keywords: z.array(z.string()),
  ...addressFields,
  type: z.literal('module'),
  engines: z.object({ node: z.string() }),
  bin: z.object({ genenv: z.string() }),
});

const packedSchema = z.tuple([z.object({ filename: z.string(), files: z.array(z.object({ path: z.string() })) })]);

export interface CliPackage {
  file: string;
  bytes: number;
  files: number;
}

/** @param out default: genenv-VERSION.tgz in the root. @throws Error that names what is missing, or how large it is */
export async function packageCli(out?: string): Promise<CliPackage> {
  const folder = await mkdtemp(join(tmpdir(), 'genenv-npm-'));
  try {
    const inside = join(folder, 'package');
    const { name, version } = await fill(inside);
    const { filename, files } = await pack(inside, folder);
    const file = resolve(out ?? join(root, `${name}-${version}.tgz`));
    await copyFile(join(folder, filename), file);
    const { size } = await stat(file);
    if (size > limit) throw new Error(`The package is ${size} bytes; it may be ${limit}.`);
    return { file, bytes: size, files: files.length };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function fill(folder: string): Promise<{ name: string; version: string }> {
  const manifest = manifestSchema.parse(JSON.parse(await readFile(join(root, 'package.json'), 'utf8')));
  for (const file of await cliFiles(root)) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await cp(join(root, file), join(folder, file));
  }
  const text = await readFile(join(root, page), 'utf8');
  await writeFile(join(folder, 'README.md'), fromTheRoot(text, dirname(page)));
  const written = {
    ...manifest,
    ...addressOf(repositoryOf(manifest)),
    description: 'Difficulty-aligned co-evolution of an environment policy and an agent policy, on the command line.',
  };
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(written, null, 2)}\n`);
  return manifest;
}

/** A page whose links to files begin at its folder, as one of the root. */
const fromTheRoot = (text: string, folder: string): string => text.replaceAll(/\]\((?!\w+:|#)/g, () => `](${folder}/`);

/** npm as it was called, else the one on the path. */
async function pack(folder: string, destination: string): Promise<z.infer<typeof packedSchema>[0]> {
  const words = ['pack', folder, '--json', '--pack-destination', destination];
  const called = process.env['npm_execpath'] ?? '';
  const [program, before] = /\bnpm-cli\.c?js$/.test(called) ? [process.execPath, [called]] : ['npm', []];
  const { stdout } = await promisify(execFile)(program, [...before, ...words], {
    maxBuffer: 1e8,
    shell: process.platform === 'win32' && program === 'npm',
  });
  const [packed] = packedSchema.parse(JSON.parse(stdout));
  return packed;
}

/** Pages of the repository name all that a person can call or meet: commands, settings, guards and scripts. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { commands } from '../../../src/cli/commandSpec.ts';
import { guards } from '../../../src/runs/facts/guards/guardFinding.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const textOf = (file: string): string => readFileSync(`${root}${file}`, 'utf8');
const manifest = z
  .object({
    scripts: z.record(z.string(), z.string()),
    contributes: z.object({
      commands: z.array(z.object({ title: z.string() })),
      configuration: z
        .array(z.object({ properties: z.record(z.string(), z.unknown()) }))
        .or(z.object({ properties: z.record(z.string(), z.unknown()) }).transform((one) => [one])),
    }),
  })
  .parse(JSON.parse(textOf('package.json')));
const words = z
  .record(z.string(), z.string().or(z.object({ message: z.string() }).transform(({ message }) => message)))
  .parse(JSON.parse(textOf('package.nls.json')));

describe('the pages of the repository', () => {
  const editor = textOf('docs/commands.md').replaceAll(/\s+/g, ' ');
  const pages = globSync(['README.md', 'CONTRIBUTING.md', 'docs/**/*.md'], { cwd: root }).map(textOf).join('\n');

  it('name every command of the palette and the menus, and no other', () => {
    const list = editor.slice(0, editor.indexOf('## Settings'));
    const titles = manifest.contributes.commands.map(({ title }) => words[title.replaceAll('%', '')] ?? title);
    const named = [...list.slice(list.indexOf('- **')).matchAll(/_([^_]+)_/g)].map(([, title = '']) => title);
    assert.deepEqual([...new Set(named)].sort(), [...new Set(titles)].sort());
  });

  it('name every setting of the editor, and no other', () => {
    const settings = manifest.contributes.configuration.flatMap(({ properties }) => Object.keys(properties));
    const named = [...editor.matchAll(/\| `(genenv\.[\w.]+)`/g)].map(([, name = '']) => name);
    assert.deepEqual(named.sort(), settings.sort());
  });

  it('name every guard', () => {
    assert.deepEqual(
      guards.filter((guard) => !pages.includes(`\`${guard}\``)),
      [],
    );
  });

  it('name every command of the command line', () => {
    const missing = Object.keys(commands).filter((name) => !new RegExp(`genenv ${name}\\b`).test(pages));
    assert.deepEqual(missing, []);
  });

  it('name every script', () => {
    const called = (name: string): boolean => new RegExp(`npm (run )?${name}(?![\\w:-])`).test(pages);
    assert.deepEqual(
      Object.keys(manifest.scripts).filter((name) => !called(name)),
      [],
    );
  });
});

/** docs/endpoints.md's table of tested versions, held to what is installed, written into scripts and advised on pages. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { versions } from '../../../src/features/setup/core/versions.ts';
import { reasoningGym } from '../../../src/launch/domains/reasoningPackage.ts';
import { peers } from '../../support/peers/pythons.ts';
import { versions as sdks } from '../../support/tinker-sdk/install.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const textOf = (path: string): string => readFileSync(`${root}${path}`, 'utf8');

interface Row {
  version: string;
  how: string;
  tried: string;
  repeat: string;
}

/** Packages whose row has another name. */
const rowNames: Readonly<Record<string, string>> = {
  'inspect-ai': 'inspect',
  openai: 'openai for python',
  skyrl: 'skyrl (release)',
  tinker: 'tinker sdk',
};
/** Packages that others need to run. */
const helpers = new Set(['uv', 'gguf', 'datasets', 'torch', 'opentelemetry-semantic-conventions']);

function tableOf(page: string): Map<string, Row> {
  const [, section = ''] = page.split('## Tested versions\n');
  const rows = section
    .split('\n## ', 1)
    .join('')
    .split('\n')
    .filter((line) => line.startsWith('| '));
  return new Map(
    rows.slice(2).map((line) => {
      const [name = '', version = '', how = '', tried = '', repeat = ''] = line
        .split('|')
        .slice(1)
        .map((cell) => cell.trim());
      return [name.toLowerCase().replaceAll('_', '-'), { version, how, tried, repeat: repeat.replaceAll('`', '') }];
    }),
  );
}

/** Packages pinned in a text, as pip reads them. */
const pinsIn = (text: string): [name: string, version: string][] =>
  Array.from(text.matchAll(/([\w-]+)(?:\[[\w,]+\])?==(\d[\w.]*)/g), ([, name = '', version = '']) => [
    name.toLowerCase().replaceAll('_', '-'),
    version,
  ]);

describe('tested versions in docs/endpoints.md', () => {
  const page = textOf('docs/endpoints.md');
  const table = tableOf(page);
  const rowOf = (name: string): Row => table.get(rowNames[name] ?? name) ?? assert.fail(`no row of ${name}`);
  const installed = new Map(Object.values(peers).flatMap(({ installs }) => pinsIn(installs.flat().join(' '))));

  it('has every package that npm run peers installs, in its version', () => {
    assert.ok(installed.size > 10);
    for (const [name, version] of installed) {
      if (!helpers.has(name)) assert.equal(rowOf(name).version, version, name);
    }
    for (const { tried } of table.values()) {
      for (const [, name = '', version = ''] of tried.matchAll(/(torch|datasets|gguf) (\d\S*)/g))
        assert.equal(version, installed.get(name), name);
    }
  });

  it('names the test that repeats it, and every such test', () => {
    const tests = globSync('test/peers/*.test.ts', { cwd: root }).map((file) => basename(file, '.test.ts'));
    const named = [...table.values()].flatMap(({ repeat }) => (repeat === '–' ? [] : [repeat]));
    assert.deepEqual([...new Set(named)].sort(), tests.sort());
    for (const { how, repeat } of table.values()) assert.ok(how === 'run' || (how === 'read' && repeat === '–'), how);
  });

  it('has the versions that genenv setup writes, that are installed for people, and of the SDK', () => {
    assert.equal(rowOf('skyrl (source)').version, `commit ${versions.skyrl}`);
    for (const name of ['vllm', 'verl', 'ray'] as const) assert.equal(rowOf(name).version, versions[name]);
    assert.equal(rowOf('reasoning-gym').version, reasoningGym.version);
    const { version, tried } = rowOf('tinker');
    const others = sdks.filter((sdk) => sdk !== version);
    assert.equal(others.length, sdks.length - 1);
    for (const sdk of others) assert.ok(tried.includes(sdk), sdk);
  });

  it('is what other pages and examples say', () => {
    const files = globSync(['docs/**/*.md', 'docs/examples/**/requirements.txt'], { cwd: root });
    const pins = files.flatMap((file) => pinsIn(textOf(file)).map((pin) => [file, ...pin] as const));
    assert.ok(pins.length > 4);
    for (const [file, name, version] of pins) assert.equal(version, installed.get(name) ?? version, `${file}: ${name}`);
    const said = textOf('docs/domains.md').matchAll(/`(verifiers|inspect-ai)` \(([\d.]+)\)/g);
    for (const [, name = '', version = ''] of said) assert.ok(rowOf(name).version.startsWith(`${version}.`), name);
    assert.ok(textOf('docs/serve.md').includes(`tinker-cookbook ${rowOf('tinker-cookbook').version}'s`));
  });
});

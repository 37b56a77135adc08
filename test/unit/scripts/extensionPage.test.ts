/** The extension's page, as it is packaged. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { addressFields, addressOf, repositoryOf, standalone } from '../../../scripts/repository.ts';

const root = new URL('../../../', import.meta.url);
const manifest = z.object(addressFields);
const repositoryAt = (repository: unknown): ReturnType<typeof repositoryOf> =>
  repositoryOf(manifest.parse({ repository }));
const linksOf = (page: string): string[] => [...page.matchAll(/\]\(([^)]*)\)/g)].map(([, link = '']) => link);

describe('the page of the packaged extension', () => {
  let page = '';
  before(async () => (page = await readFile(new URL('docs/extension.md', root), 'utf8')));

  it('links to addresses alone without a repository, keeps the words of other links, and has no picture', () => {
    const shown = standalone(page, 'docs');
    assert.ok(linksOf(shown).length > 0);
    for (const link of linksOf(shown)) assert.match(link, /^https:/);
    assert.match(shown, /\(rewards\.md\)/);
    assert.doesNotMatch(shown, /!\[/);
    assert.doesNotMatch(shown, /\n{3}/);
  });

  it('shows pictures and files of the repository that the manifest names', () => {
    const shown = standalone(page, 'docs', repositoryAt('https://github.com/someone/genenv'));
    const own = linksOf(shown).filter((link) => link.startsWith('https://github.com/someone/genenv/'));
    assert.equal(own.length, linksOf(page).filter((link) => !link.startsWith('https:')).length);
    assert.ok(own.includes('https://github.com/someone/genenv/blob/HEAD/docs/method.md#phase-portrait'));
    assert.match(
      shown,
      /!\[[^\]]+\]\(https:\/\/github\.com\/someone\/genenv\/raw\/HEAD\/docs\/images\/dashboard\.png\)/,
    );
    for (const link of own) {
      const [path = ''] = link.replace(/.*\/HEAD\//, '').split('#');
      assert.ok(existsSync(fileURLToPath(new URL(path, root))), path);
    }
  });

  it('finds files where GitLab shows them, and leaves links out for a host whose paths it does not know', () => {
    const text = 'See [rewards](rewards.md).\n\n![Form](images/form.png)\n\nEnd.';
    assert.equal(
      standalone(text, 'docs', repositoryAt({ type: 'git', url: 'git+https://gitlab.com/a/b.git' })),
      'See [rewards](https://gitlab.com/a/b/-/blob/HEAD/docs/rewards.md).\n\n![Form](https://gitlab.com/a/b/-/raw/HEAD/docs/images/form.png)\n\nEnd.',
    );
    assert.equal(standalone(text, 'docs', repositoryAt('https://code.example.org/a/b')), 'See rewards.\n\nEnd.');
  });

  it('has homepage and bugs beside the repository, the manifest’s own first', () => {
    assert.deepEqual(addressOf(repositoryAt('https://github.com/someone/genenv.git')), {
      repository: { type: 'git', url: 'git+https://github.com/someone/genenv.git' },
      homepage: 'https://github.com/someone/genenv#readme',
      bugs: { url: 'https://github.com/someone/genenv/issues' },
    });
    const own = { homepage: 'https://genenv.example.org', bugs: 'https://genenv.example.org/bugs' };
    const { homepage, bugs } = addressOf(
      repositoryOf(manifest.parse({ repository: 'https://github.com/a/b', ...own })),
    );
    assert.deepEqual({ homepage, bugs }, { homepage: own.homepage, bugs: { url: own.bugs } });
    assert.deepEqual(addressOf(repositoryAt(undefined)), {});
  });

  it('refuses an address that no browser opens', () => {
    for (const wrong of ['git@github.com:a/b.git', 'someone/genenv', 'http://github.com/a/b', 'ssh://git@host/a/b'])
      assert.throws(() => repositoryAt(wrong), /https address/);
  });
});

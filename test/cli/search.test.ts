import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { searchHitSchema } from '../../src/features/search/contract/searchHit.ts';
import { Workspace } from '../support/genenv.ts';
import { tiny } from '../support/tiny.ts';

describe('genenv search', () => {
  const workspace = new Workspace();
  let id: string;
  const search = (...words: string[]) => workspace.genenv('search', id, ...words);

  before(async () => {
    workspace.write('searched.genenv.json', { ...tiny, name: 'searched', epochs: 1 });
    assert.equal((await workspace.genenv('run', 'searched.genenv.json')).code, 0);
    id = readdirSync(workspace.runs).at(-1) ?? '';
  });
  after(() => workspace.remove());

  it('prints each hit as a line of JSON for programs, and for people with what stands around it', async () => {
    const json = await search('purpose:train valid:yes increase', '--json');
    assert.equal(json.code, 0, json.err);
    const hits = json.out
      .trimEnd()
      .split('\n')
      .map((line) => searchHitSchema.parse(JSON.parse(line)));
    assert.ok(hits.length > 0);
    for (const { matches } of hits) {
      for (const { snippet } of matches) assert.equal(snippet.text.slice(snippet.start, snippet.end), 'increase');
    }
    const [first] = hits;
    assert.ok(first?.kind === 'trace');
    const text = await search('increase', 'purpose:train', 'valid:yes');
    assert.ok(text.out.startsWith(`${first.trace}  ${first.verdict}`), text.out.slice(0, 200));
    assert.match(text.out, /\n {2}turn \d+: .*increase/);
    assert.match(text.err, new RegExp(`^${hits.length.toLocaleString('en')} traces?\\.\n$`));
    const some = await search('purpose:train', '--limit', '2');
    assert.equal(some.out.trimEnd().split('\n').length, 2, some.out);
    assert.equal(some.err, '2 traces; there are more.\n');
  });

  it('says what it cannot read, and where', async () => {
    const { code, err } = await search('increase verdct:fail');
    assert.equal(code, 2);
    assert.match(err, /cannot be read at “verdct:fail”: There is no field "verdct"\. Did you mean "verdict"\?/);
    assert.match((await search()).err, /needs a QUERY/);
  });
});

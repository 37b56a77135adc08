/** An embedding server beside a whole run: checked, asked, and, once it is gone, done without. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import * as z from 'zod';
import { sendJson, TestServer } from '../support/endpoints/httpServer.ts';
import { Workspace } from '../support/genenv.ts';
import { tiny } from '../support/tiny.ts';

const bodySchema = z.object({ input: z.array(z.string()) });

/** Counts letters: enough of a direction. */
const vectorOf = (text: string): number[] => {
  const counts = Array<number>(26).fill(0.01);
  for (const letter of text.toLowerCase()) {
    const at = letter.charCodeAt(0) - 97;
    if (at >= 0 && at < 26) counts[at] = (counts[at] ?? 0) + 1;
  }
  return counts;
};

describe('a run with an embedding server', function () {
  this.timeout(180_000);
  const workspace = new Workspace();
  let server: TestServer;
  before(async () => {
    server = await TestServer.start((response, { body }) => {
      const { input } = bodySchema.parse(JSON.parse(body));
      sendJson(response, { data: input.map((text, index) => ({ index, embedding: vectorOf(text) })) });
    });
    const embedding = { embeddingUrl: `${server.url}/v1`, embeddingModel: 'letters' };
    workspace.write('near.genenv.json', { ...tiny, generation: { families: 4, variations: 3, ...embedding } });
  });
  after(async () => {
    await server.stop();
    workspace.remove();
  });

  const shown = new Set<string>();
  /** `show --written` of the run that was not shown yet. */
  async function written(): Promise<string> {
    const [id] = readdirSync(workspace.runs).filter((name) => !name.startsWith('.') && !shown.has(name));
    assert(id !== undefined);
    shown.add(id);
    return (await workspace.genenv('show', id, '--written')).out;
  }

  it('is told what its tasks are like, and that the server answers', async () => {
    const check = await workspace.genenv('check', 'near.genenv.json');
    assert.equal(check.code, 0, check.out);
    assert.match(check.out.replaceAll(/\s+/g, ' '), /Embeddings by “letters”: vectors of 26 numbers\./);
    const run = await workspace.genenv('run', 'near.genenv.json');
    assert.equal(run.code, 0, run.err);
    const out = await written();
    assert.match(out, /By embeddings[^]*any two +nearest[^]*\n +1 +0\.\d+ +0\.\d+ +0\.\d+/);
    assert.doesNotMatch(out, /Without embeddings/);
  });

  it('ends as well where the server is away, and says so', async () => {
    await server.stop();
    const check = await workspace.genenv('check', 'near.genenv.json');
    assert.equal(check.code, 0, 'a warning keeps no run from starting');
    assert.match(
      check.out,
      /near\.genenv\.json:\d+:\d+: warning: Embeddings: http:\/\/127\.0\.0\.1:\d+: .*no connection/,
    );
    assert.match(check.out, /measures diversity by words alone/);
    const run = await workspace.genenv('run', 'near.genenv.json');
    assert.equal(run.code, 0, run.err);
    assert.match(run.out + run.err, /Diversity is measured by words alone in this epoch\. http:/);
    const out = await written();
    assert.match(out, /Without embeddings in \d of \d epochs?; in epoch \d: http:\/\/127\.0\.0\.1:\d+: POST/);
    assert.match(out, /distinct-2/, 'words still measure');
  });
});

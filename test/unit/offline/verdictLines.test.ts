import assert from 'node:assert/strict';
import * as z from 'zod';
import { fromJson, type OfflineScorer } from '../../../src/benchmarks/offline/offlineScorer.ts';
import { verdictLines, type CaseLine, type Unscored } from '../../../src/benchmarks/offline/verdictLines.ts';
import { linesOf } from '../../../src/features/offline/cli/inputLines.ts';

async function* given(...chunks: (string | Uint8Array)[]): AsyncGenerator<string | Uint8Array> {
  for (const chunk of chunks) {
    await Promise.resolve();
    yield chunk;
  }
}

async function allOf(parts: AsyncIterable<Iterable<CaseLine>>): Promise<CaseLine[]> {
  const lines: CaseLine[] = [];
  for await (const part of parts) lines.push(...part);
  return lines;
}

async function scored(scorer: OfflineScorer, text: string | Uint8Array): Promise<{ out: string[]; told: Unscored[] }> {
  const told: Unscored[] = [];
  const out = await Array.fromAsync(verdictLines(linesOf(given(text)), scorer, (unscored) => told.push(unscored)));
  return { out: out.flat(), told };
}

const lengths = fromJson(z.object({ of: z.object({ text: z.string() }) }), ({ of }) => ({ length: of.text.length }));

describe('verdicts of a file of cases', () => {
  it('are a line each, in order, under the ids as they were', async () => {
    const { out, told } = await scored(lengths, '{"id":1.0,"of":{"text":"ab"}}\n\n  \n{"of":{"text":""},"id":["x"]}\n');
    assert.deepEqual(out, ['{"id":1.0,"length":2}', '{"id":["x"],"length":0}']);
    assert.deepEqual(told, []);
  });

  it('leave a line for what is no case, name its field, and go on', async () => {
    const { out, told } = await scored(lengths, '{"id":1,"of":{"text":5}}\nnonsense\n{"id":3,"of":{"text":"abc"}}');
    assert.equal(out.length, 3);
    assert.match(out[0] ?? '', /^\{"id":1,"error":"of\.text: expected string/);
    assert.match(out[1] ?? '', /^\{"id":null,"error":"this is not JSON/);
    assert.equal(out[2], '{"id":3,"length":3}');
    assert.deepEqual(
      told.map(({ line, field, error }) => [line, field, 'reason' in error && error.reason]),
      [
        [1, 'of.text', 'form'],
        [2, '', 'not-json'],
      ],
    );
  });

  it('are none for lines that are not UTF-8', async () => {
    const text = '{"id":1,"of":{"text":"ö"}}\n{"id":2,"of":{"text":"ab"}}\n{"id":3,"of":{"text":"ä"}}';
    const why = 'the line cannot be read: it is not UTF-8. Save the file as UTF-8';
    const { out, told } = await scored(lengths, Buffer.from(text, 'latin1'));
    assert.deepEqual(out, [`{"id":null,"error":"${why}"}`, '{"id":2,"length":2}', `{"id":null,"error":"${why}"}`]);
    assert.deepEqual(
      told.map(({ line }) => line),
      [1, 3],
    );
    const [first] = (await scored(lengths, Buffer.from(`\uFEFF${text}`, 'utf16le'))).out;
    assert.match(first ?? '', /it is UTF-16, not UTF-8/);
  });

  it('may be text, so that numbers keep their kinds, and may come late', async () => {
    const scorer: OfflineScorer = { score: (line) => (line.includes('late') ? Promise.resolve({}) : '{"x":5.0}') };
    assert.deepEqual((await scored(scorer, '{"id":1}\n{"id":2,"late":1}')).out, ['{"id":1,"x":5.0}', '{"id":2}']);
  });

  it('survive a fault of a scorer', async () => {
    const scorer: OfflineScorer = {
      score(line) {
        if (line.includes('bad')) throw new RangeError('too deep');
        return {};
      },
    };
    const { out, told } = await scored(scorer, '{"id":"bad"}\n{"id":"good"}');
    assert.deepEqual(out, ['{"id":"bad","error":"too deep"}', '{"id":"good"}']);
    assert.equal(told[0]?.error.name, 'RangeError');
  });
});

describe('lines of a stream', () => {
  it('end where \\n says so, however the chunks fall', async () => {
    const text = 'a\u2028b\r\n\n€ü\u0085x\nlast';
    const bytes = Buffer.from(text);
    for (const size of [1, 2, 3, 5, 100]) {
      const chunks: Uint8Array[] = [];
      for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
      assert.deepEqual(await allOf(linesOf(given(...chunks))), ['a\u2028b\r', '', '€ü\u0085x', 'last']);
    }
    assert.deepEqual(await allOf(linesOf(given('a\n', '', '\n'))), ['a', '']);
    assert.deepEqual(await allOf(linesOf(given())), []);
  });

  it('leave out the mark before UTF-8, there alone, and may be said in room that is used again', async () => {
    const text = '\ufeffa\n\ufeffb\nlonger than the room\nc';
    const room = Buffer.alloc(5);
    async function* reused(): AsyncGenerator<Uint8Array> {
      const bytes = Buffer.from(text);
      for (let at = 0; at < bytes.length; at += room.length) {
        await Promise.resolve();
        yield room.subarray(0, bytes.copy(room, 0, at));
      }
    }
    assert.deepEqual(await allOf(linesOf(reused())), ['a', '\ufeffb', 'longer than the room', 'c']);
    assert.deepEqual(await allOf(linesOf(given('\ufeff'))), []);
  });
});

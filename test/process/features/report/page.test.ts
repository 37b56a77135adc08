import assert from 'node:assert/strict';
import { mkdtemp, readFile, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { embeddedJson, escapeHtml, reportPage } from '../../../../src/features/report/node/page.ts';
import { ReportError } from '../../../../src/features/report/node/reportError.ts';
import { largestReport, writeReport } from '../../../../src/features/report/node/writeReport.ts';
import type { ReportData } from '../../../../src/shared/report/data.ts';
import { reportBundle, reportDist } from '../../../support/report/bundle.ts';
import { syntheticData } from '../../../support/report/syntheticData.ts';
import { syntheticSource } from '../../../support/report/syntheticSource.ts';

const options = { epochs: 4, families: 4, variations: 2, group: 4 };
const hostile = '</script><script>alert(1)</script><!-- <img src=x onerror=alert(2)> & "quotes" \u2028';

async function data(): Promise<ReportData> {
  return syntheticData(options);
}

async function page(over: Partial<ReportData> = {}): Promise<string> {
  return reportPage({ data: { ...(await data()), ...over }, ...(await reportBundle()), nonce: 'bm9uY2U=' });
}

describe('report page', () => {
  it('names no address but XML namespaces', async () => {
    const addresses = (await page()).match(/https?:\/\/[^\s"'`<>)\\]+|url\([^)]*\)|@import[^;]*/gi) ?? [];
    assert.deepEqual(
      addresses.filter((address) => !address.startsWith('http://www.w3.org/')),
      [],
    );
  });

  it('has no element or attribute that fetches or runs anything by itself', async () => {
    const html = await page();
    const markup = html.replaceAll(/<(script|style)\b[^>]*>[\s\S]*?<\/\1>/g, '<$1>');
    assert.doesNotMatch(markup, /<(link|img|iframe|object|embed|base|form|video|audio|source)\b/i);
    assert.doesNotMatch(markup, /\s(on\w+|style|src|href)=/i);
  });

  it('allows its own script and style by nonce and nothing else', async () => {
    const html = await page();
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1] ?? '';
    const directives = new Map(
      policy.split('; ').map((directive) => {
        const [name = '', ...values] = directive.split(' ');
        return [name, values.join(' ')];
      }),
    );
    assert.deepEqual(Object.fromEntries(directives), {
      'default-src': "'none'",
      'script-src': "'nonce-bm9uY2U='",
      'style-src': "'nonce-bm9uY2U='",
      'base-uri': "'none'",
      'form-action': "'none'",
    });
    assert.ok(html.indexOf('Content-Security-Policy') < html.indexOf('<style'), 'in force before what it rules');
    assert.equal([...html.matchAll(/<script nonce="bm9uY2U=">/g)].length, 1);
    assert.equal([...html.matchAll(/<style nonce="bm9uY2U=">/g)].length, 1);
    assert.equal([...html.matchAll(/<script\b/g)].length, 2, 'the code and the data');
  });

  it('keeps hostile text of a task inside its data', async () => {
    const { run, samples } = await data();
    const [sample] = samples;
    const task = { ...sample!.tasks[0]!, prompt: [{ role: 'user', content: hostile }], gold: hostile };
    const html = await page({ run: { ...run, name: hostile }, samples: [{ epoch: 1, tasks: [task] }] });
    assert.equal([...html.matchAll(/<script\b/g)].length, 2);
    assert.equal([...html.matchAll(/<\/script/g)].length, 2);
    assert.doesNotMatch(html, /<img|<!--/);
    const json = /<script type="application\/json" id="report-data">([^<]*)<\/script>/.exec(html)?.[1] ?? '';
    const parsed: unknown = JSON.parse(json);
    assert.deepEqual(
      parsed,
      JSON.parse(
        JSON.stringify({ ...(await data()), run: { ...run, name: hostile }, samples: [{ epoch: 1, tasks: [task] }] }),
      ),
    );
    assert.match(html, /<title>&lt;\/script&gt;&lt;script&gt;/);
  });

  it('escapes', () => {
    assert.equal(escapeHtml(`<a b='c' d="e">&`), '&lt;a b=&#39;c&#39; d=&quot;e&quot;&gt;&amp;');
    assert.equal(embeddedJson({ a: '</script>' }), '{"a":"\\u003c/script>"}');
  });

  it('refuses code or styles that would end their element', async () => {
    const parts = { data: await data(), nonce: 'x' };
    for (const script of ['"</script>"', '"<!--"', '"<SCRIPT"']) {
      assert.throws(
        () => reportPage({ ...parts, script, style: '' }),
        (error) => error instanceof ReportError && error.reason === 'bundle',
      );
    }
    assert.throws(() => reportPage({ ...parts, script: '', style: '</style' }), ReportError);
  });

  it('is drawn by code of at most 250 kB', async () => {
    const { script } = await reportBundle();
    assert.ok(Buffer.byteLength(script) <= 250_000, `${Buffer.byteLength(script)} bytes`);
  });
});

describe('writeReport', () => {
  it('writes report.html into the run folder, whole, with a nonce of its own', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'genenv-run-'));
    const dist = await reportDist();
    const path = await writeReport(syntheticSource(dir, options), { dist });
    assert.equal(path, join(dir, 'report.html'));
    assert.deepEqual(await readdir(dir), ['report.html']);
    const nonceOf = (html: string): string | undefined => /'nonce-([^']+)'/.exec(html)?.[1];
    const first = nonceOf(await readFile(path, 'utf8'));
    await writeReport(syntheticSource(dir, options), { dist });
    assert.notEqual(nonceOf(await readFile(path, 'utf8')), first);
    assert.ok((first?.length ?? 0) >= 22, 'at least 128 bits');
  });

  it('writes where it is told', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'genenv-run-'));
    const out = join(dir, 'elsewhere.html');
    assert.equal(await writeReport(syntheticSource('/nowhere', options), { dist: await reportDist(), out }), out);
    assert.match(await readFile(out, 'utf8'), /^<!doctype html>/);
  });

  it('thins a run with very long texts until it fits', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'genenv-run-'));
    const source = syntheticSource(dir, { epochs: 30, families: 60, variations: 4, group: 2 });
    const long = 'word '.repeat(60_000);
    const path = await writeReport(
      {
        ...source,
        async task(id) {
          const task = await source.task(id);
          return task && { ...task, plan: long, prompt: [{ role: 'user', content: long }], gold: long };
        },
        async *events() {
          for await (const event of source.events()) {
            if (event.type !== 'families.scored') yield event;
            else
              yield {
                ...event,
                families: event.families.map((family) => ({ ...family, id: family.id + 'x'.repeat(1500) })),
              };
          }
        },
      },
      { dist: await reportDist() },
    );
    const html = await readFile(path, 'utf8');
    assert.ok(Buffer.byteLength(html) <= largestReport, `${Buffer.byteLength(html)} bytes`);
    assert.match(html, /families are drawn/);
    assert.match(html, /texts of the samples are cut at \d+ characters/);
  });

  it('says what to do when the browser code is not built, and writes nothing', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'genenv-run-'));
    await assert.rejects(
      writeReport(syntheticSource(dir, options), { dist: pathToFileURL(`${dir}/`) }),
      (error) => error instanceof ReportError && error.reason === 'not-built' && /npm run build/.test(error.message),
    );
    assert.deepEqual(await readdir(dir), []);
  });
});

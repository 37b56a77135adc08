/** Forms and the calibration page in German: no label, explanation or sentence about what is shown stays English. */
import assert from 'node:assert/strict';
import { germanBundle } from '../support/germanBundle.ts';
import { everyPage } from '../support/webviews/everyPage.ts';
import { pageSuite } from '../support/webviews/pageSuite.ts';

/** Words that are the same in both languages. */
const same = new Set(
  Object.entries(germanBundle).flatMap(([english, german]) => (english === german ? [english] : [])),
);
const labels = 'label, legend, h2, h3, th, .label:not(svg *), .unit:not(svg *), button, summary, .meaning, .choice';
/** Words of the search and places of files are no language; an adapter's own fields keep the names that its file has for them. */
const ofFiles = /[:>"]|^(?:open|close|compare)$/;
/** A task's lineage is the host's text, which the host of this test gives in English. */
const ofHost = /^(?:Seed task|Written by|Attempted|Weight 0)/;

const sentences = 'p, li, figcaption, svg title, svg text';
/** A family's plan, and the name of a run. */
const ofData = /^steps \d|^storekeeper/;
/** Settings as they are typed, and a task's lineage. */
const ofSample = /^α \d|^Weight 0|^p̂ 0\.25$/;

describe('forms in German', function () {
  this.timeout(120_000);
  const suite = pageSuite();

  const labelsOf = async (name: string, language: 'de' | null): Promise<string[]> => {
    const sample = everyPage[name];
    assert.ok(sample !== undefined);
    const { onOpen, ready } = sample();
    const { page } = await suite.open(name, onOpen, {
      ...(language === null ? {} : { language }),
      ...{ width: 1440, height: 900 },
    });
    await page.locator(ready).first().waitFor();
    const texts = (await page.locator(labels).allInnerTexts())
      .flatMap((text) => text.split('\n'))
      .map((text) => text.trim());
    return texts.filter((text) => /\p{L}{2}/u.test(text));
  };

  for (const name of ['experiment', 'studyForm', 'adapter', 'tasks'] as const) {
    it(`${name} has no English label`, async () => {
      const english = new Set(await labelsOf(name, null));
      assert.ok(english.size > 5, `${english.size} labels`);
      const german = await labelsOf(name, 'de');
      const left = [...new Set(german)].filter(
        (text) => english.has(text) && !same.has(text) && !ofFiles.test(text) && !ofHost.test(text),
      );
      assert.deepEqual(left, []);
    });
  }

  /** Sentences, computed ones too, of a page tall enough that all charts are in sight and drawn. */
  const sentencesOf = async (name: string, language: 'de' | null): Promise<Set<string>> => {
    const sample = everyPage[name];
    assert.ok(sample !== undefined);
    const { onOpen, ready } = sample();
    const { page } = await suite.open(name, onOpen, {
      ...(language === null ? {} : { language }),
      ...{ width: 1440, height: 5000 },
    });
    await page.locator(ready).first().waitFor();
    // Charts are drawn one after the other, the last of them in a later frame.
    if (name === 'calibration') await page.locator('#timeline svg').waitFor();
    const texts = (await page.locator(sentences).allTextContents()).flatMap((text) => text.split(' · '));
    return new Set(texts.map((text) => text.trim()).filter((text) => /(?:\p{L}{2,}\P{L}+){3,}/u.test(text)));
  };

  for (const name of ['experiment', 'calibration'] as const) {
    it(`${name} has no English sentence`, async () => {
      const english = await sentencesOf(name, null);
      assert.ok(english.size > 20, `${english.size} sentences`);
      const left = [...(await sentencesOf(name, 'de'))].filter((text) => english.has(text) && !ofData.test(text));
      assert.deepEqual(left, []);
    });
  }

  for (const name of ['calibration', 'runTable', 'compare', 'tasks', 'attempts'] as const) {
    it(`${name} writes figures with a comma, and none with a point`, async () => {
      const sample = everyPage[name];
      assert.ok(sample !== undefined);
      const { onOpen, ready } = sample();
      const { page } = await suite.open(name, onOpen, { language: 'de', width: 1440, height: 5000 });
      await page.locator(ready).first().waitFor();
      const texts = await page.locator('main').innerText();
      assert.match(texts, /\d,\d/);
      // Of thousands there are three digits behind the point; a version or a model's size has letters about it.
      const lines = texts.split('\n').filter((line) => /(?<![\w.])\d+\.\d{1,2}(?![\w.])|(?<!\d)0\.\d+/.test(line));
      assert.deepEqual([...new Set(lines.filter((line) => !ofSample.test(line)))], []);
    });
  }
});

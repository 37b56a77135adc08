/** The packaged extension in an editor that speaks German: what the manifest says, what the host says, and a page. */
import assert from 'node:assert/strict';
import { glob, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runInto } from '../support/cliRun.ts';
import { pressAt } from '../support/focus.ts';
import { story } from '../support/ui/story.ts';
import { shotPath, uiSuite } from '../support/ui/uiSuite.ts';
import { eventually } from '../support/until.ts';
import { germanBundle } from '../support/germanBundle.ts';

const small = ['epochs=3', 'generation.families=6', 'validation.tasks=60'];

/** Files with faults, by name. */
const wrong = {
  'falsch.genenv.json': '{ "preset": "embedded", "curriculum": { "alpha": 1.5, "kMinn": 0.1 } }',
  'kaputt.genenv.json': '{ "preset": "embedded", "epochs" 3 }',
};

/** Nothing listens there. */
const away = { kind: 'tinker', url: 'http://127.0.0.1:9', key: null };
const remote = {
  ...{ version: 1, name: 'fern', preset: 'embedded' },
  endpoints: { agent: { ...away, model: 'genenv/agent' }, environment: { ...away, model: 'genenv/environment' } },
};

/** Jobs of a cluster that is not there. */
const cluster = {
  ...{ version: 1, name: 'cluster', preset: 'embedded' },
  endpoints: {
    agent: {
      ...{ kind: 'verl', url: 'http://127.0.0.1:9', key: null, model: 'genenv/agent', sampler: 'http://127.0.0.1:9' },
      ...{ workdir: 'jobs', gpus: 2 },
    },
    environment: { ...away, model: 'genenv/environment' },
  },
};

/** A reward that ends while it is loaded. */
const broken = { version: 1, name: 'bruch', preset: 'embedded', reward: { file: 'bruch.reward.js' } };

/** A run of the window itself, with attempts that are judged wrong and updates that are skipped. */
const here = {
  ...{ version: 1, name: 'hier', preset: 'embedded', seed: 3, epochs: 3 },
  ...{ generation: { families: 6, variations: 2 }, rollouts: { group: 4 }, validation: { tasks: 20 } },
};

/** Pieces of German sentences that are in no English one. */
function germanPieces(): string[] {
  const english = Object.keys(germanBundle).join('\n');
  const pieces = Object.values(germanBundle).flatMap((text) => text.split(/\{\d+\}/).map((piece) => piece.trim()));
  return [...new Set(pieces)].filter((piece) => piece.length >= 8 && !english.includes(piece));
}

describe('the extension in German', function () {
  this.timeout(300_000);
  story();
  const ui = uiSuite('german', {
    packaged: true,
    language: 'de',
    viewport: { width: 1440, height: 900 },
    prepare: async (folder) => {
      await runInto(folder, 'embedded.genenv.json', ...small, 'name=erster');
      await runInto(folder, 'embedded.genenv.json', ...small, 'name=zweiter');
      for (const [name, text] of Object.entries(wrong)) await writeFile(join(folder, name), text);
      await writeFile(join(folder, 'fern.genenv.json'), JSON.stringify(remote));
      await writeFile(join(folder, 'hier.genenv.json'), JSON.stringify(here));
      await writeFile(join(folder, 'cluster.genenv.json'), JSON.stringify(cluster));
      await writeFile(join(folder, 'bruch.genenv.json'), JSON.stringify(broken));
      await writeFile(join(folder, 'bruch.reward.js'), 'process.exit(3);\n');
      await mkdir(join(folder, '.vscode'));
      await writeFile(join(folder, '.vscode', 'settings.json'), JSON.stringify({ 'genenv.runs.where': 'host' }));
    },
  });

  it('names its commands, views and rows', async () => {
    await ui.win.command('GenEnv: Läufe sortieren…');
    await ui.win.row('Neueste zuerst').waitFor();
    await ui.win.press('Escape');
    await ui.win.viewContainer('GenEnv');
    await ui.win.treeItem(/^Lauf erster, beendet/).waitFor();
    await ui.win.page.getByRole('button', { name: /^Daten/ }).waitFor();
    await ui.win.screenshot(shotPath('german-views'));
  });

  it('speaks in its pages', async () => {
    await ui.win.command('GenEnv: Kalibrierung öffnen');
    await ui.win.row('erster').waitFor();
    await pressAt(ui.win.quickInput, 'Enter');
    const page = await ui.win.webview('calibration');
    await page.getByText('Schwierigkeit über Epochen').first().waitFor();
    await eventually(async () => assert.equal(await page.locator('html').getAttribute('lang'), 'de'));
    await ui.win.screenshot(shotPath('german-calibration'));
    await ui.win.command('GenEnv: Läufe vergleichen…');
    for (const name of ['erster', 'zweiter']) await ui.win.row(name).click();
    await pressAt(ui.win.quickInput, 'Enter');
    await (await ui.win.webview('compare')).getByText('Aufgabe für Aufgabe').first().waitFor();
    await ui.win.screenshot(shotPath('german-compare'));
  });

  it('says in the tree what a run came to', async () => {
    await ui.win.treeItem(/^Lauf erster/).hover();
    await ui.win.page.getByText('3 Epochen können nicht zeigen, ob die Umgebung kalibriert').waitFor();
    await ui.win.screenshot(shotPath('german-tooltip'));
  });

  it('checks an experiment, and says what is wrong in files', async () => {
    await ui.win.openFile('embedded.genenv.json');
    await ui.win.command('GenEnv: Experiment prüfen');
    const page = await ui.win.webview('preflight');
    await page.getByText('Alles bestanden').waitFor();
    await page.getByText(/^Die Umgebung schrieb \d+ Texte?, .* Der Agent löste/).waitFor();
    await ui.win.command('Problems: Focus on Problems View');
    await ui.win.page.getByText('Unbekanntes Feld "kMinn" in "curriculum". Meinten Sie "kMin"?').first().waitFor();
    await ui.win.page
      .getByText(/^Fehlerhaftes JSON: ein ":" wurde nach dem Feldnamen erwartet/)
      .first()
      .waitFor();
    await ui.win.screenshot(shotPath('german-problems'));
  });

  it('writes no German into a run', async () => {
    await ui.win.openFile('hier.genenv.json');
    await ui.win.command('GenEnv: Lauf starten');
    await ui.win.treeItem(/^Lauf hier, beendet/).waitFor();
    await ui.win.screenshot(shotPath('german-run'));
    const pieces = germanPieces();
    assert.ok(pieces.length > 1000);
    const files = await Array.fromAsync(glob('.genenv/**/*-hier/**/*.{json,jsonl,md}', { cwd: ui.folder }));
    assert.ok(files.length > 3, files.join(', '));
    for (const name of files) {
      const text = await readFile(join(ui.folder, name), 'utf8');
      const found = pieces.filter((piece) => text.includes(piece));
      assert.deepEqual(found, [], name);
    }
  });

  it('says why a server does not answer, and what to do', async () => {
    await ui.win.openFile('fern.genenv.json');
    await ui.win.command('GenEnv: Endpunktdiagnose…');
    await ui.win.page.getByText('Prüfen Sie, ob der Server läuft').first().waitFor();
    await ui.win.screenshot(shotPath('german-doctor'));
  });

  it('says why a cluster does not take jobs', async () => {
    await ui.win.openFile('cluster.genenv.json');
    await ui.win.command('GenEnv: Endpunktdiagnose…');
    await ui.win.page
      .locator('.view-line')
      .filter({ hasText: /Cluster.*keine\sVerbindung/ })
      .first()
      .waitFor();
    await ui.win.screenshot(shotPath('german-cluster'));
  });

  it('says why a file of rewards does not load', async () => {
    await ui.win.openFile('bruch.genenv.json');
    await ui.win.command('GenEnv: Experiment prüfen');
    const page = await ui.win.webview('preflight');
    await page
      .getByText(/endete, während sie geladen wurde/)
      .first()
      .waitFor();
    await ui.win.screenshot(shotPath('german-reward'));
  });

  it('audits rewards, and reads attempts with what their judge noted', async () => {
    await ui.win.command('GenEnv: Belohnungen eines Laufs überprüfen…');
    await ui.win.row('hier').waitFor();
    await pressAt(ui.win.quickInput, 'Enter');
    const line = (text: RegExp) => ui.win.page.locator('.editor-instance .view-line').filter({ hasText: text }).first();
    await line(/beurteilten\sVersuche|95-%-Intervall|Keine\s(?:Aufgabe|Familie|Antwort)/).waitFor();
    await ui.win.screenshot(shotPath('german-audit'));
    await ui.win.walk('Läufe', /^Lauf hier, beendet/, /^Epoche 3/, /Familien?$/, /^Familie/, /^Aufgabe/);
    await ui.win.pressOn(ui.win.treeItem(/^Aufgabe/), 'Enter');
    await line(/^Zustand|^Gesundheit|^Aufgabe/).waitFor();
    await ui.win.screenshot(shotPath('german-task'));
  });
});

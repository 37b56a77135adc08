/** The engine's sentences in journals, and their forms that translators see. */
import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as l10n from '@vscode/l10n';
import { inEnglish, speak } from '../../../src/launch/language.ts';
import { inWords, recordedForms } from '../../../src/shared/journal/recordedWords.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
/** Every form in another language, so that a text that comes back in English is seen. */
const abroad = Object.fromEntries(recordedForms.map((form) => [form, `⟦${form}⟧`]));

/** Without the parts that are joined at run time. */
const bare = (text: string): string =>
  text.replaceAll(/[`'] \+\s*[`']/g, '').replaceAll(/\$\{[^{}]*\}|\{\d\}|%d|\" \+ |\b2000000\b/g, '…');

describe('sentences of journals', () => {
  before(() => speak(abroad, 'de'));
  after(() => speak({}, 'en'));

  it('have forms, in every golden journal', async () => {
    const told = new Set<string>();
    for await (const name of glob('test/{unit,cli}/**/golden/**/*.jsonl', { cwd: root }))
      for (const [, text] of (await readFile(join(root, name), 'utf8')).matchAll(
        /"type":"(?:agent\.skipped|environment\.skipped|run\.finished)",[^\n]*?"(?:note|reason)":"([^"]* [^"]*)"/g,
      ))
        if (text !== undefined) told.add(text);
    assert.ok(told.size >= 8, `${told.size} texts`);
    assert.deepEqual(
      [...told].filter((text) => !inWords(text).startsWith('⟦')),
      [],
    );
  });

  it('are as the engine writes them', async () => {
    const phases = ['updateAgent.ts', 'stop.ts', 'environment/updateEnvironment.ts'].map((file) => `phases/${file}`);
    const files = [
      ...[...phases, 'coevolve.ts', 'loop.ts'].map((file) => `engine/${file}`),
      ...['runner/node/work.ts', 'study/core/racing.ts'].map((file) => `features/${file}`),
      'host/runs/service.ts',
      'shared/journal/untrained.ts',
      'runs/store/runStore.ts',
      'runs/import/rollouts/importedEpochs.ts',
      'rewards/curricula/curriculumError.ts',
      ...['failure.ts', 'closeNetwork.ts', 'load.ts', 'told.ts'].map((file) => `rewards/processes/node/${file}`),
      'rewards/processes/python/worker.py',
    ];
    const sources = files.map((file) => readFile(join(root, 'src', file), 'utf8'));
    const written = bare((await Promise.all(sources)).join('\n'));
    // The remedy of a curriculum file is written apart from its fault.
    const composed = /spent of a budget|in epochs? \{1\}|^The curriculum file/;
    assert.deepEqual(
      recordedForms.filter((form) => !composed.test(form) && !written.includes(bare(form))),
      [],
    );
  });

  it('keep their figures, written as the reader does, and other texts stay as they are', () => {
    assert.equal(inWords('All 12 epochs are done.'), '⟦All 12 epochs are done.⟧');
    const early = '5.00 spent of a budget of 4; 3 more were not begun in the last epoch.';
    assert.equal(inWords(early), `⟦${early.replace('5.00', '5,00')}⟧`);
    const hours = '1.02 h spent of a budget of 1 h.';
    assert.equal(inWords(hours), `⟦${hours.replace('1.02', '1,02')}⟧`);
    const file =
      'The curriculum file mine.curriculum.py gave no rewards: It is 3. Correct the file, then resume the run.';
    assert.equal(inWords(file), `⟦${file}⟧`);
    assert.equal(inWords('Paused by hand'), 'Paused by hand');
  });

  it('are English in texts that go to disk', () => {
    const text = 'All 2 epochs are done.';
    assert.equal(
      inEnglish(() => inWords(text)),
      text,
    );
    assert.throws(() =>
      inEnglish(() => {
        throw new Error('in between');
      }),
    );
    assert.equal(l10n.t('All {0} epochs are done.', 2), `⟦${text}⟧`);
  });
});

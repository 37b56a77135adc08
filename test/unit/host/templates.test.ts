import assert from 'node:assert/strict';
import { fileNameFor, templates, templateText } from '../../../src/host/experiment/templates.ts';
import { isError } from '../../../src/shared/experiment/problem.ts';
import { readExperimentText } from '../../../src/shared/experiment/reading.ts';

describe('a new experiment', () => {
  for (const template of templates) {
    it(`from “${template.label}” runs as it is written`, () => {
      const text = templateText(template, 'mine', template.needs === 'tasks' ? 'tasks.jsonl' : null);
      const { written, problems } = readExperimentText(text, 'mine.genenv.json');
      assert.deepEqual(problems.filter(isError), []);
      assert.equal(written?.['name'], 'mine');
      assert.equal(written['mode'], template.mode);
    });
  }

  it('is named after what it is called, without taking another’s name', () => {
    assert.equal(fileNameFor('Harder α, 2nd try!', new Set()), 'harder-α-2nd-try.genenv.json');
    assert.equal(fileNameFor('a b', new Set(['a-b.genenv.json'])), 'a-b-2.genenv.json');
    assert.equal(fileNameFor('…', new Set()), 'experiment.genenv.json');
  });
});

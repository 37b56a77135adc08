import assert from 'node:assert/strict';
import { fileNameFor, isForModels, templates, templateText } from '../../../src/features/experiment/host/templates.ts';
import { endpointDefaults } from '../../../src/shared/experiment/endpoints/endpoint.ts';
import { fixesFor } from '../../../src/shared/experiment/problems/fixes.ts';
import { isError } from '../../../src/shared/experiment/problems/problem.ts';
import { parseExperiment } from '../../../src/shared/experiment/parse.ts';
import { readExperimentText } from '../../../src/shared/experiment/text/reading.ts';

describe('a new experiment', () => {
  for (const template of templates) {
    it(`from “${template.label}” runs as it is written`, () => {
      const server = {
        kind: 'tinker' as const,
        url: 'http://127.0.0.1:8000',
        key: '${env:KEY}',
        model: 'Qwen/Qwen3-8B',
        served: [],
      };
      const text = templateText(template, 'mine', {
        ...(template.needs === 'tasks' ? { tasks: 'tasks.jsonl' } : {}),
        ...(template.needs === 'tinker' || template.needs === 'trainer' ? { server } : {}),
        ...(template.needs === 'openai' ? { server: { ...server, kind: 'openai' as const }, trainer: server } : {}),
        ...(template.id === 'later' ? { server } : {}),
        ...(template.needs === 'verl' ? { cluster: endpointDefaults.verl } : {}),
      });
      const { written, problems } = readExperimentText(text, 'mine.genenv.json');
      assert.deepEqual(problems.filter(isError), []);
      assert.ok(!problems.some(({ message }) => message.includes('has no effect')));
      assert.equal(written?.['name'], 'mine');
      assert.equal(written['mode'], template.mode);
      const domain: unknown = JSON.parse(JSON.stringify(written['domain'] ?? null));
      // The storekeeper's words never appear with a GPU.
      assert.deepEqual(domain, isForModels(template) ? { name: 'stories' } : null);
    });
  }

  for (const domain of [
    { file: 'mine.domain.ts' },
    { name: 'reasoning' as const },
    { name: 'bfcl', seeds: 'bfcl.jsonl' },
  ])
    it(`has the tasks that were chosen: ${JSON.stringify(domain)}`, () => {
      const template = templates.find(({ id }) => id === 'later')!;
      const { written } = readExperimentText(templateText(template, 'mine', { domain }), 'mine.genenv.json');
      assert.deepEqual(JSON.parse(JSON.stringify(written?.['domain'])), domain);
    });

  it('has its agent trained elsewhere where the environment is frozen', () => {
    const template = templates.find(({ needs }) => needs === 'openai')!;
    const server = { kind: 'openai' as const, url: 'http://127.0.0.1:8000/v1', key: null, model: 'm', served: [] };
    const { written, problems } = readExperimentText(templateText(template, 'mine', { server }), 'mine.genenv.json');
    assert.deepEqual(
      problems.filter(isError).map(({ field }) => field),
      ['endpoints.agent.url'],
    );
    assert.deepEqual(JSON.parse(JSON.stringify(written?.['domain'])), { name: 'stories' });
  });

  it('on “genenv serve” has each policy’s own model and the sizes that fit them', () => {
    const template = templates.find(({ needs }) => needs === 'tinker')!;
    const served = ['genenv/agent', 'genenv/environment'];
    const server = { kind: 'tinker' as const, url: 'http://127.0.0.1:8787', key: null, model: 'genenv/agent', served };
    const text = templateText(template, 'mine', { server });
    assert.match(text, /one model at a time/);
    const parsed = parseExperiment(text, 'mine.genenv.json');
    assert.ok('experiment' in parsed, JSON.stringify(parsed));
    const { endpoints, preset } = parsed.experiment;
    assert.equal(parsed.experiment.domain.name, 'storekeeper');
    assert.deepEqual([preset, endpoints.agent.kind, endpoints.environment.kind], ['embedded', 'tinker', 'tinker']);
    assert.ok(endpoints.agent.kind === 'tinker' && endpoints.environment.kind === 'tinker');
    assert.deepEqual([endpoints.agent.model, endpoints.environment.model], served);
  });

  it('with the paper’s settings names GPUs, or says by its name that it is a miniature', () => {
    const papers = templates.filter(({ section }) => section === 'paper');
    const texts = papers.map((template) => templateText(template, 'mine', {}));
    const kinds = texts.map((text) => readExperimentText(text, 'mine.genenv.json').written?.['endpoints']);
    assert.deepEqual(
      papers.map(({ label }, at) => [/embedded models/.test(label), kinds[at] === undefined]),
      [
        [false, false],
        [true, true],
      ],
    );
    // An unfilled template is reported, with its place and the remedy.
    const [text = ''] = texts;
    const { written, problems } = readExperimentText(text, 'mine.genenv.json');
    const errors = problems.filter(isError);
    const lines = text.split('\n');
    assert.deepEqual(
      errors.map(({ field, line }) => [
        field,
        /"url": "https:\/\/training-server\.invalid"/.test(lines[line - 1] ?? ''),
      ]),
      [
        ['endpoints.agent.url', true],
        ['endpoints.environment.url', true],
      ],
    );
    assert.match(errors[0]?.message ?? '', /is a placeholder and names no server/);
    assert.match(errors[0]?.remedy ?? '', /address of your training server/);
    const fixes = fixesFor({ field: 'endpoints.agent.url' }, written ?? {});
    assert.deepEqual(
      fixes.map(({ edits }) => edits),
      [[{ path: ['endpoints', 'agent', 'url'], to: endpointDefaults.tinker.url }]],
    );
    const small = {
      kind: 'tinker' as const,
      url: 'http://127.0.0.1:8787',
      key: null,
      model: 'genenv/agent',
      served: [],
    };
    const [paper] = papers;
    assert.ok(paper !== undefined);
    assert.match(templateText(paper, 'mine', { server: small }), /"preset": "paper"/);
  });

  it('on a cluster has no setting that its jobs have no place for', () => {
    const template = templates.find(({ needs }) => needs === 'verl')!;
    const cluster = { ...endpointDefaults.verl, gpus: 4, mount: '/mnt/cluster' };
    const parsed = parseExperiment(templateText(template, 'mine', { cluster }), 'mine.genenv.json');
    assert.ok('experiment' in parsed, JSON.stringify(parsed));
    assert.deepEqual(parsed.warnings, []);
    const { agent, environment } = parsed.experiment.endpoints;
    assert.deepEqual([agent, environment], [cluster, cluster]);
  });

  it('is named after what it is called, without taking another’s name', () => {
    assert.equal(fileNameFor('Harder α, 2nd try!', new Set()), 'harder-α-2nd-try.genenv.json');
    assert.equal(fileNameFor('a b', new Set(['a-b.genenv.json'])), 'a-b-2.genenv.json');
    assert.equal(fileNameFor('…', new Set()), 'experiment.genenv.json');
  });
});

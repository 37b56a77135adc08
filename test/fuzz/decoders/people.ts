/** Files and words that people write. */
import { readAdapter } from '../../../src/benchmarks/adapter/readAdapter.ts';
import { parseCommandLine } from '../../../src/cli/commandLine.ts';
import { linkTo, placeOfLink } from '../../../src/features/links/contract.ts';
import { matchesPatterns } from '../../../src/shared/adapters/patterns.ts';
import { parseExperiment } from '../../../src/shared/experiment/parse.ts';
import { MeteredTemplate } from '../../../src/shared/jinja/meteredTemplate.ts';
import { parseTaskFile } from '../../../src/shared/records/taskFile.ts';
import { parseQuery } from '../../../src/features/search/contract/query.ts';
import { readTraceQuery } from '../../../src/features/search/contract/traceQuery.ts';
import { Broken, type Decoder } from '../decoder.ts';

const adapter = {
  ...{ version: 1, name: 'a' },
  data: {
    folder: 'd',
    obtain: 'o',
    format: 'jsonl',
    splits: { test: { files: ['*.jsonl'], where: { '/record/x': [1] } } },
  },
  task: { id: '/record/id', prompt: [{ role: 'user', content: '{{ record.q }}' }], gold: '/record/a' },
  answer: { kind: 'between', open: '<a>', close: '</a>' },
  scorer: { kind: 'json-schema', schema: { type: 'object', properties: { x: { type: 'string' } } } },
};
const record = {
  messages: [{ role: 'user', content: 'a' }],
  text: 'b c',
  list: [1, 2, [3]],
  none: null,
  map: { k: 'v' },
};

export const people: Record<string, Decoder> = {
  experiment: {
    seeds: [
      '{"name": "x", "mode": "coevolve", "epochs": 2}',
      '{"endpoints": {"agent": {"kind": "openai", "url": "http://a/v1"}}}',
    ],
    tokens: [
      '"endpoints"',
      '"curriculum"',
      '"alpha"',
      '"rollouts"',
      '"kind"',
      '"tinker"',
      '${env:A}',
      '"preset"',
      '//',
    ],
    decode: (input) => parseExperiment(input, 'x.genenv.json'),
  },
  override: {
    seeds: ['curriculum.alpha=0.5', 'endpoints.agent={"kind":"openai"}', 'name=x'],
    tokens: ['=', '.', '[0]', '__proto__', 'constructor'],
    decode: (input) => parseExperiment('{}', 'x.genenv.json', [input]),
  },
  adapter: {
    seeds: [
      JSON.stringify(adapter),
      JSON.stringify({ ...adapter, answer: { kind: 'boxed' }, scorer: { kind: 'json' } }),
    ],
    tokens: ['"join"', '"beside"', '"key"', '"here"', '"$ref"', '"#"', '"pattern"', '/record/', '{{ record.x }}'],
    decode: (input) => readAdapter(input, 'x.adapter.json'),
    share: 30,
  },
  pattern: {
    seeds: ['**/*.json x/a.json', '{a,b}/c?.txt b/cd.txt', '*a*a*b aaaa'],
    tokens: ['*', '**', '**/', '?', '{', '}', ',', '!', '/'],
    decode(input) {
      const at = input.lastIndexOf(' ');
      return matchesPatterns(input.slice(at + 1), [input.slice(0, Math.max(0, at)).slice(0, 500)]);
    },
  },
  tasks: {
    seeds: [
      '{"id":"a","prompt":[{"role":"user","content":"q"}],"evaluation":{"kind":"exact"},"gold":"g"}\n\n{"id":"b"}',
    ],
    tokens: ['"family"', '"evaluation"', '"tools"', '"gold"', '"complexity"', '"plan"', '"v"'],
    decode: (input) => parseTaskFile(input, 'x.jsonl', 'base'),
    share: 30,
  },
  template: {
    seeds: [
      '{% for m in messages %}{{ m.role }}: {{ m.content | trim }}{% endfor %}',
      '{% set ns = namespace(x=0) %}{{ ns.x ~ list | join(",") }}{{ map.items() | list | tojson }}',
      '{% macro f(a, b=1) %}{{ a[b:] if a else none }}{% endmacro %}{{ f(text) }}{{ range(3) | list }}',
    ],
    tokens: [
      '{%',
      '%}',
      '{{',
      '}}',
      '|',
      'for',
      'if',
      'set',
      'endfor',
      'range(',
      'tojson',
      'is defined',
      '**',
      '~',
      'loop.',
    ],
    decode: (input) => new MeteredTemplate(input).render(record),
    share: 30,
  },
  search: {
    seeds: ['verdict:fail timeout -tag:x "two words"', 'p>0.4 epoch:2..5 id:*a*', 'tool:f part:x>1'],
    tokens: [':', '>', '<=', '"', '-', '..', '*', 'reward', 'note:', '\\'],
    decode: (input) => [readTraceQuery(input), parseQuery(input)],
  },
  commandLine: {
    seeds: ['run x.genenv.json --set a=b', 'check-adapter x --split a --json', 'score bfcl --in -', 'show --root'],
    tokens: ['--', '-', '=', ' ', '--json', '--root', 'evaluate', '--help', '--no-rename'],
    decode: (input) => parseCommandLine(input.split(' ')),
  },
  link: {
    seeds: ['/run/a/trace/e2/base.17/r0?', '/run/x?epoch=3', '/run/a/family/f?epoch=1'],
    tokens: ['/', '?', 'epoch=', '%', '&', 'trace', 'task'],
    decode(input) {
      const [path = '', query = ''] = input.split('?');
      const place = placeOfLink({ path, query });
      if (place === null) return null;
      const { id, ...rest } = place;
      const again = placeOfLink(linkTo({ run: id, ...rest }));
      // A trace's own name holds its epoch; a run's folder has no backslash.
      if (id.includes('\\') || rest.trace !== undefined) return place;
      if (JSON.stringify(again) !== JSON.stringify(place))
        throw new Broken(`${JSON.stringify(place)} ${JSON.stringify(again)}`);
      return place;
    },
  },
};

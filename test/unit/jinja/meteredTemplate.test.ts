import assert from 'node:assert/strict';
import { Template } from '@huggingface/jinja';
import { MeteredTemplate } from '../../../src/shared/jinja/meteredTemplate.ts';
import { TemplateError } from '../../../src/shared/jinja/templateError.ts';

const reasonOf = (source: string, values: Record<string, unknown> = {}): string => {
  try {
    new MeteredTemplate(source).render(values);
  } catch (error) {
    assert.ok(error instanceof TemplateError, String(error));
    return error.reason;
  }
  return 'none';
};

const chat = `{%- for m in messages %}{% if loop.first and m.role != 'system' %}<s>{% endif %}<|{{ m.role }}|>
{{ m.content | trim }}{% set ns = namespace(n=0) %}{% for i in range(3) %}{% set ns.n = ns.n + i %}{% endfor %}{{ ns.n }}
{% endfor %}{% if tools %}{{ tools | tojson(indent=2) }}{% endif %}{{ none is none and True and not False }}`;

describe('templates with a limit on their work', () => {
  it('render as the package renders', () => {
    const values = {
      messages: [
        { role: 'user', content: ' a\n' },
        { role: 'assistant', content: 'ö😀' },
      ],
      tools: [{ name: 'f', parameters: { x: [1, 2.5, null] } }],
    };
    const others = [
      '{{ range(5, 1, -2) | list }}{{ range(2) | list }}{{ range(1, 3) | list }}',
      "{{ strftime_now('%Y') }}{{ [1, 2] + [3] }}{{ {'a': 1} }}{{ 'x' * 0 if false else 'y' }}",
    ];
    for (const source of [chat, ...others]) {
      assert.equal(new MeteredTemplate(source).render(values), new Template(source).render(values));
    }
  });

  const tooSlow = {
    'two nested loops': '{% for i in range(100000) %}{% for j in range(100000) %}{% endfor %}{% endfor %}',
    'a range without end': '{{ range(10 ** 300) | length }}',
    'calls that call themselves twice':
      '{% macro f(n) %}{% if n > 0 %}{{ f(n - 1) }}{{ f(n - 1) }}{% endif %}{% endmacro %}{{ f(40) }}',
    'lists that hold a list twice':
      '{% set ns = namespace(x=[1]) %}{% for i in range(60) %}{% set ns.x = [ns.x, ns.x] %}{% endfor %}{{ ns.x | tojson }}',
    'a list that doubles':
      '{% set ns = namespace(x=[1]) %}{% for i in range(60) %}{% set ns.x = ns.x + ns.x %}{% endfor %}{{ ns.x | length }}',
    'a search in a long list':
      '{% set x = range(90000) | list %}{% for i in range(90000) %}{% if "a" in x %}b{% endif %}{% endfor %}',
  };
  for (const [title, source] of Object.entries(tooSlow)) {
    it(`end ${title}`, () => assert.equal(reasonOf(source), 'too-slow'));
  }

  it('end a text that doubles', () => {
    const source = "{% set ns = namespace(x='ab') %}{% for i in range(60) %}{% set ns.x = ns.x ~ ns.x %}{% endfor %}";
    assert.equal(reasonOf(source), 'too-large');
  });

  it('call what is nested too deeply by its name, and what is no template', () => {
    const brackets = `{{ ${'['.repeat(20_000)}${']'.repeat(20_000)} }}`;
    assert.throws(() => new MeteredTemplate(brackets), { reason: 'syntax', message: 'it is nested too deeply' });
    assert.equal(reasonOf('{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}'), 'values');
    assert.equal(reasonOf('{{ x'), 'syntax');
    assert.equal(reasonOf('{{ raise_exception("no") }}'), 'values');
    assert.equal(reasonOf('x'.repeat(1_000_001)), 'too-large');
  });

  it('leave a conversation of a thousand turns and long texts alone', () => {
    const messages = Array.from({ length: 1_000 }, (_, i) => ({
      role: i % 2 === 0 ? 'user' : 'assistant',
      content: 'x',
    }));
    assert.equal(reasonOf(chat, { messages }), 'none');
    assert.equal(reasonOf('{{ record.text | upper }}', { record: { text: 'ab '.repeat(1_000_000) } }), 'none');
  });
});

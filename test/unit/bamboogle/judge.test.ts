import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { compileTemplate } from '../../../src/benchmarks/adapter/template.ts';
import { adapterSchema } from '../../../src/shared/adapters/schema.ts';
import { judgeInstructions, judgeQuestion, readJudgement } from '../../../src/benchmarks/bamboogle/judge.ts';
import { afterResults, limits, readReply } from '../../../src/benchmarks/bamboogle/searchRound.ts';

describe('Bamboogle with a judge', () => {
  it('says yes only to exactly that', () => {
    assert.equal(readJudgement('- Thought: same.\n- Judgment: Yes\n'), true);
    for (const said of ['No', 'yes', 'Yes.', '**Yes**', 'Yes, it is', '']) {
      assert.equal(readJudgement(`- Thought: x\n- Judgment: ${said}`), false, said);
    }
    assert.equal(readJudgement('- Thought: x\n- Judgment: Yes - Judgment: No'), true);
    for (const reply of ['Yes', '- Judgment: Yes', '- Thought: x', '']) assert.equal(readJudgement(reply), null, reply);
  });

  it('asks with question, truth and prediction', () => {
    assert.match(judgeInstructions, /- Judgment: <Yes\/No>\n$/);
    assert.equal(
      judgeQuestion('q', 't', 'p'),
      '**Query**\nq\n\n**Ground Truth Answer**\nt\n\n**Predicted Answer**\np\n\nYour Response:\n',
    );
  });
});

describe('the shipped adapter of Bamboogle', () => {
  it('shows the prompt that is used without one', () => {
    const file = new URL('../../../media/adapters/bamboogle.adapter.json', import.meta.url);
    const { scorer } = adapterSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
    assert.ok(scorer.kind === 'bamboogle' && scorer.judge !== undefined);
    assert.equal(scorer.judge.instructions, judgeInstructions);
    const scope = { values: { question: 'q?', gold: '<g>', answer: 'a "b"' }, texts: new Map<string, string>() };
    assert.equal(compileTemplate(scorer.judge.question).render(scope), judgeQuestion('q?', '<g>', 'a "b"'));
  });
});

describe('Bamboogle with a search tool', () => {
  const call = '{"name": "Search", "parameters": {"query": "who\\"s"}}';

  it('reads the first call of a reply, which goes before a response', () => {
    assert.deepEqual(
      readReply(`<think> I look </think><tool_call>\n${call}\n{"name": 2}\n</tool_call><response>x</response>`),
      {
        kind: 'search',
        query: 'who"s',
        shown: `<think> I look </think>\n<tool_call>\n{'name': 'Search', 'parameters': {'query': 'who"s'}}\n</tool_call>`,
      },
    );
    const bare = readReply(`Hm.\n<tool_call>${call.replaceAll('"', "'").replace("\\'", '')}`);
    assert.ok(bare.kind === 'search' && bare.shown.startsWith('<think> Hm. </think>'));
  });

  it('loses what is no Python literal or has no query', () => {
    for (const line of [
      '{"parameters": {"query": null}}',
      '{"a": true}',
      '{',
      '',
      '[1]',
      '{"parameters": {}}',
      '{"parameters": {"query":\n"x"}}',
    ]) {
      assert.deepEqual(readReply(`<tool_call>\n${line}\n</tool_call>`), { kind: 'lost' }, line);
    }
  });

  it('takes the response, else what follows the thought, else everything', () => {
    const answer = (reply: string): string => {
      const read = readReply(reply);
      return read.kind === 'answer' ? read.text : assert.fail(read.kind);
    };
    assert.equal(answer('<think> a </think> b <response> c </response> d'), 'c');
    assert.equal(answer('<think> a </think> b '), 'b');
    assert.equal(answer(' b '), 'b');
    assert.equal(answer('<response></response>'), '');
  });

  it('asks for an answer once the next reply is the last', () => {
    assert.deepEqual(
      [1, 2, 3, 4].map((round) => afterResults(round).startsWith('Do not')),
      [false, false, true, true],
    );
    assert.equal(limits.rounds, 4);
  });
});

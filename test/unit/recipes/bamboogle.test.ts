import assert from 'node:assert/strict';
import fc from 'fast-check';
import { BamboogleRecipe } from '../../../src/benchmarks/recipes/bamboogle.ts';
import { RecipeDomain } from '../../../src/benchmarks/recipes/domain.ts';
import type { ScorerTable } from '../../../src/benchmarks/scorerTable.ts';
import { bamboogleSeed, contextOf, rulesOf } from '../../support/recipes/seeds.ts';

const written = (question: unknown, answer: unknown): string => JSON.stringify({ question, answer });

describe('recipe of Bamboogle', () => {
  const seed = bamboogleSeed();
  const heldOut = bamboogleSeed(
    'validation.telegraph',
    'Who was president of the United States in the year that the first telegraph message was sent by Morse?',
    'John Tyler',
  );
  let rules: ScorerTable;
  let domain: RecipeDomain;
  before(async () => {
    rules = await rulesOf('bamboogle');
    domain = new RecipeDomain(new BamboogleRecipe(rules), { base: [seed], heldOut: [heldOut] });
  });

  const verdictOn = (text: string): string => {
    const parsed = domain.parseTask(text, '', seed);
    const verified = parsed.ok ? domain.verify(parsed.draft) : parsed;
    const novel = parsed.ok && verified.ok ? domain.likeness(parsed.draft) : verified;
    return novel.ok ? 'ok' : `${novel.cause}: ${novel.note}`;
  };

  it('asks with the seed’s question and answer, and wants golds agreed on', () => {
    assert.equal(domain.needsAgreement(), true);
    assert.match(domain.environmentPrompt(contextOf(seed)).at(-1)?.content ?? '', /Kenneth Kaunda.*Lusaka/s);
  });

  for (const [what, text, why] of [
    ['accepts a question with its answer', written('Who founded the city where Kafka was born?', 'Libuše'), /^ok$/],
    ['refuses a text without an object', 'Who was it?', /^unparseable/],
    ['refuses an answer that is no text', written('Who was it?', 7), /^schema: answer/],
    ['refuses what is no question', written('Name him.', 'Bob'), /^schema: the question does not end/],
    [
      'refuses a question that says its answer',
      written('In what land is Lusaka, Zambia?', 'Zambia'),
      /says its answer/,
    ],
    ['refuses a long answer', written('Why?', 'one two three four five six seven eight nine'), /has 9 words/],
    ['refuses an answer of punctuation', written('Why?', '!!!'), /has 0 words/],
    [
      'refuses a held-out question with a word changed',
      written(
        'Who was president of the United States in the year when the first telegraph message was sent by Morse?',
        'John Tyler',
      ),
      /^held-out: Nearly the held-out task validation\.telegraph: they share \d+ % of their wording/,
    ],
    [
      'refuses a held-out question in other letters and order',
      written(
        'In the year that the first telegraph message was sent by Morse, who was president of the united states?',
        'Tyler',
      ),
      /^held-out: Nearly the held-out task validation\.telegraph: it has the same words/,
    ],
    [
      'refuses its seed again',
      written('What is the capital of the land in which Kenneth Kaunda was born ?', 'Lusaka'),
      /^duplicate: Nearly the base task base\.zambia/,
    ],
  ] satisfies [string, string, RegExp][]) {
    it(what, () => assert.match(verdictOn(text), why));
  }

  it('takes its gold for right and other words for wrong', () => {
    const word = fc.stringMatching(/^[b-z]{3,9}$/);
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), word, (words, other) => {
        const gold = words.join(' ');
        const parsed = domain.parseTask(written('Who 1?', gold), '', seed);
        assert.ok(parsed.ok);
        assert.deepEqual(domain.verify(parsed.draft), { ok: true });
        const right = (answer: string): boolean =>
          rules.score(parsed.draft, {
            messages: [{ role: 'assistant', content: `<answer>${answer}</answer>` }],
            stopReason: 'stop',
          }).success;
        assert.ok(right(gold));
        assert.ok(!right(`${gold} ${other}`));
        assert.ok(!right(`${gold}x`));
      }),
      { numRuns: 300 },
    );
  });

  it('gives a verdict on whatever is written', () => {
    const wild = fc.oneof(
      fc.string(),
      fc.json(),
      fc.tuple(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' })).map(([q, a]) => written(`${q}?`, a)),
    );
    fc.assert(
      fc.property(wild, (text) => /^ok$|^(unparseable|schema|gold|held-out|duplicate): ./s.test(verdictOn(text))),
      { numRuns: 2000 },
    );
  }).timeout(240_000);
});

import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { GenerationContext } from '../../../src/engine/ports.ts';
import { StorekeeperDomain } from '../../../src/benchmarks/storekeeper/domain.ts';
import { renderBody } from '../../../src/benchmarks/storekeeper/body.ts';
import { renderCalls } from '../../../src/benchmarks/storekeeper/calls.ts';
import { execute } from '../../../src/benchmarks/storekeeper/execute.ts';
import { planOf, renderPlan } from '../../../src/benchmarks/storekeeper/plan.ts';
import { agentMessages } from '../../../src/benchmarks/storekeeper/task.ts';
import { vocabulary, words } from '../../../src/benchmarks/storekeeper/vocabulary.ts';
import type { Rejection } from '../../../src/shared/records/task.ts';
import { anyBody } from './arbitraries.ts';

const domain = new StorekeeperDomain();

/** The outcome of the environment's text: the parser's answer, then the verifier's. */
function cause(text: string, plan: string): Rejection | 'accepted' {
  const parsed = domain.parseTask(text, plan);
  if (!parsed.ok) return parsed.cause;
  const verified = domain.verify(parsed.draft);
  return verified.ok ? 'accepted' : verified.cause;
}

const written = anyBody.map((body) => {
  const gold = renderCalls(execute(body));
  return { body, gold, text: `${renderBody(body).join(' ')} CALLS ${gold}`, plan: renderPlan(planOf(body)) };
});

describe('storekeeper: domain', () => {
  it('accepts every generated task, with and without plan and end word', () => {
    fc.assert(
      fc.property(written, ({ text, plan, body, gold }) => {
        assert.equal(cause(text, plan), 'accepted');
        assert.equal(cause(`${text} <end>`, `${plan} <end>`), 'accepted');
        assert.equal(cause(text, ''), 'accepted');
        const parsed = domain.parseTask(text, plan);
        assert.ok(parsed.ok);
        assert.equal(parsed.draft.gold, gold);
        assert.equal(parsed.draft.plan, plan);
        assert.equal(parsed.draft.complexity['steps'], body.steps.length);
        assert.deepEqual(parsed.draft.prompt, agentMessages(body, 'CALLS'));
      }),
    );
  });

  it('rejects a task that does not keep to its plan', () => {
    fc.assert(
      fc.property(written, ({ text, body }) => {
        const plan = planOf(body);
        const broken = [
          { ...plan, steps: plan.steps + 1 },
          { ...plan, steps: plan.steps - 1 },
          { ...plan, tools: plan.tools + 1 },
          { ...plan, fillers: plan.fillers - 1 },
        ].filter(({ fillers }) => fillers >= 0);
        for (const other of broken) assert.equal(cause(text, renderPlan(other)), 'plan');
        assert.equal(cause(text, renderPlan({ ...plan, fillers: plan.fillers + 1 })), 'accepted');
      }),
    );
    assert.equal(cause('MENU get f1 REQ first check rice CALLS first get f1 rice', 'steps one'), 'plan');
  });

  it('rejects every change of one word of the gold as gold or unparseable', () => {
    fc.assert(
      fc.property(written, fc.nat(), fc.nat(), ({ text, gold, plan }, at, choice) => {
        const all = words(text);
        const first = all.length - words(gold).length;
        const position = first + (at % words(gold).length);
        const others = vocabulary.slice(1).filter((word) => word !== all[position]);
        all[position] = others[choice % others.length] ?? '';
        const judged = cause(all.join(' '), plan);
        assert.ok(judged === 'gold' || judged === 'unparseable', judged);
      }),
    );
  });

  it('rejects a gold that leaves out its last call', () => {
    fc.assert(
      fc.property(
        written.filter(({ body }) => body.steps.length > 1),
        ({ body, plan }) => {
          const short = renderCalls(execute(body).slice(0, -1));
          assert.equal(cause(`${renderBody(body).join(' ')} CALLS ${short}`, plan), 'gold');
        },
      ),
    );
  });

  it('rejects a task whose menu loses an entry that is needed', () => {
    fc.assert(
      fc.property(written, ({ body, gold }) => {
        const used = execute(body)[0]?.concept;
        const menu = body.menu.filter(({ concept }) => concept !== used);
        const text = `${renderBody({ ...body, menu }).join(' ')} CALLS ${gold}`;
        assert.equal(cause(text, renderPlan(planOf({ ...body, menu }))), 'schema');
      }),
    );
  });

  it('rejects a doubled menu entry, and text that stops short', () => {
    fc.assert(
      fc.property(written, ({ body, gold, text }) => {
        const menu = [...body.menu, ...body.menu.slice(0, 1)];
        const doubled = `${renderBody({ ...body, menu }).join(' ')} CALLS ${gold}`;
        assert.equal(cause(doubled, renderPlan(planOf({ ...body, menu }))), 'schema');
        assert.equal(cause(text.slice(0, text.indexOf(' CALLS')), ''), 'unparseable');
      }),
    );
    assert.equal(cause('', ''), 'unparseable');
    assert.equal(cause('MENU get f1 REQ first check rice CALLS', ''), 'gold');
  });

  it('gives notes that a person understands', () => {
    const verified = (text: string) => {
      const parsed = domain.parseTask(text, 'steps 1 tools 1 fillers 0');
      return parsed.ok ? domain.verify(parsed.draft) : parsed;
    };
    assert.deepEqual(verified('MENU get f1 REQ first check rice now CALLS first get f1 rice'), {
      ok: false,
      cause: 'plan',
      note: 'the plan asks for at most 0 fillers, the task has 1',
    });
    assert.deepEqual(verified('MENU get f1 REQ first check rice CALLS first get f1 beans'), {
      ok: false,
      cause: 'gold',
      note: 'the gold says "beans" at word 4, execution gives "rice"',
    });
  });

  it('knows a task again whatever its menu order and fillers', () => {
    const key = (text: string) =>
      domain.fingerprint({
        prompt: [
          { role: 'system', content: '<agent>' },
          { role: 'user', content: text },
        ],
        evaluation: { kind: 'storekeeper' },
      });
    const one = key('MENU get f1 set f2 REQ first check rice second put rice 4 CALLS');
    assert.equal(key('MENU set f2 get f1 REQ first please check rice second put rice 4 CALLS'), one);
    assert.equal(key('MENU set f2 get f1 REQ first check rice second put rice 4 CALL'), one);
    assert.notEqual(key('MENU set f1 get f2 REQ first check rice second put rice 4 CALLS'), one);
    assert.notEqual(key('MENU get f1 set f2 REQ first check rice second fix rice 4 CALLS'), one);
    assert.equal(key('not a task'), 'system: <agent>\nuser: not a task');
  });

  it('asks the environment in two turns', () => {
    const parsed = domain.parseTask(
      'MENU get f1 set f2 REQ first check rice second put eggs 4 third check milk CALLS',
      '',
    );
    assert.ok(parsed.ok);
    const seed = {
      v: 1,
      id: 's',
      family: 's',
      epoch: 0,
      origin: 'base',
      seed: null,
      status: 'accepted',
      ...parsed.draft,
    } as const;
    const context: GenerationContext = { seed, recentSuccess: 0.34, target: 0.5 };
    assert.deepEqual(
      domain.planPrompt(context).map(({ role, content }) => [role, content]),
      [
        ['system', '<env>'],
        ['user', 's3 like rice eggs'],
      ],
    );
    assert.equal(domain.planPrompt({ ...context, recentSuccess: null })[1]?.content, 's? like rice eggs');
    const plan = { role: 'assistant', content: 'steps 3 tools 2 fillers 0', tokens: [1, 2, 3] } as const;
    assert.deepEqual(domain.environmentPrompt(context, plan).slice(2), [plan, { role: 'user', content: 'TASK' }]);
  });

  it('turns every base task into a conversation whose last turn verifies against its plan', () => {
    for (const task of domain.seeds('base')) {
      const messages = domain.environmentExample(task, { seed: task, recentSuccess: 0.7, target: 0.5 });
      assert.deepEqual(
        messages.map(({ role }) => role),
        ['system', 'user', 'assistant', 'user', 'assistant'],
      );
      assert.equal(cause(messages[4]?.content ?? '', messages[2]?.content ?? ''), 'accepted');
      for (const word of messages.flatMap(({ content }) => words(content))) assert.ok(vocabulary.includes(word), word);
    }
  });
});

import assert from 'node:assert/strict';
import { Game } from '../../../src/benchmarks/alfworld/game.ts';
import { GameError, type GameErrorReason } from '../../../src/benchmarks/alfworld/gameError.ts';
import { readGameFile } from '../../../src/benchmarks/alfworld/gameFile.ts';
import { shownNames } from '../../../src/benchmarks/alfworld/names.ts';
import { Play } from '../../../src/benchmarks/alfworld/play.ts';
import { gameFile, replaced } from '../../support/alfworld/games.ts';
import { mini, type MiniParts } from '../../support/alfworld/mini.ts';

const play = (parts: MiniParts = {}): Play => new Play(new Game(mini(parts)));

function answers(parts: MiniParts, ...commands: string[]): string[] {
  const one = play(parts);
  return commands.map((command) => one.step(command));
}

function assertFault(reason: GameErrorReason, parts: MiniParts, message: RegExp): void {
  assert.throws(
    () => new Game(mini(parts)),
    (error) => error instanceof GameError && error.reason === reason && message.test(error.message),
  );
}

const wave = (precondition: string, effect = '(seen ?a)'): MiniParts => ({
  actions: `(:action wave :parameters (?a - agent) :precondition ${precondition} :effect ${effect})`,
  texts: 'action wave { template :: "wave"; feedback :: "Hello."; }',
});
const waves = (precondition: string, more: MiniParts = {}): boolean =>
  play({ ...wave(precondition), ...more }).admissible.includes('wave');

describe('ALFWorld: rules of the world', () => {
  it('offers what does something, sorted, and not going to where one stands', () => {
    assert.deepEqual(play().admissible, ['open chest 1', 'walk to yard 1']);
  });

  it('takes commands exactly, but for blanks around them', () => {
    const one = play();
    for (const command of ['Open chest 1', 'open  chest 1', 'open chest', 'open', '', 'walk to hall 1']) {
      assert.equal(one.step(command), 'Nothing happens.', command);
    }
    assert.equal(one.step(' \u00a0open chest 1\t\n'), 'It holds nothing.');
    // Python's strip leaves a byte order mark where it is, and takes a unit separator off.
    assert.equal(one.step('\ufeffwalk to yard 1'), 'Nothing happens.');
    assert.equal(one.step('\u001fwalk to yard 1'), 'You are at yard 1.');
  });

  it('reads every kind of condition', () => {
    const holds = [
      '()',
      '(at ?a hall_bar_1)',
      '(not (at ?a yard_bar_1))',
      '(or (full ?a) (at ?a hall_bar_1))',
      '(imply (at ?a hall_bar_1) (not (full ?a)))',
      '(exists (?p - place) (at ?a ?p))',
      '(forall (?b - box) (not (open ?b)))',
      '(forall (?t - thing) (exists (?b - box) (in ?t ?b)))',
      '(not (exists (?t - thing) (held ?t)))',
      '(exists (?x - thing ?y - thing) (and (not (= ?x ?y)) (in ?x crate_bar_1) (in ?y crate_bar_1)))',
      '(and (exists (?p - place) (at ?a ?p)) (exists (?p - place) (stands crate_bar_1 ?p)))',
    ];
    for (const condition of holds) {
      assert.equal(waves(condition), true, condition);
      assert.equal(waves(`(not ${condition === '()' ? '(and)' : condition})`), false, `not ${condition}`);
    }
    assert.equal(waves('(exists (?p - place, ?q - place) (at ?a ?p))'), false, 'the type is named "place,"');
  });

  it('keeps conditions over all objects up to date', () => {
    const parts = wave('(forall (?b - box) (or (open ?b) (exists (?t - thing) (in ?t ?b))))');
    const one = play(parts);
    assert.ok(!one.admissible.includes('wave'));
    one.step('open chest 1');
    assert.ok(one.admissible.includes('wave'));
    for (const command of ['walk to yard 1', 'open crate 1', 'take coin 1 from crate 1']) one.step(command);
    assert.ok(one.admissible.includes('wave'));
  });

  it('applies effects for all objects, where a condition holds, additions after deletions', () => {
    const parts = wave(
      '()',
      '(and (forall (?t - thing ?b - box) (when (in ?t ?b) (and (not (in ?t ?b)) (held ?t)))) (not (full ?a)) (full ?a))',
    );
    const one = play({ ...parts, goal: '(and (held coin_bar_1) (held coin_bar_2) (full me_bar_1))' });
    one.step('wave');
    assert.equal(one.won, true);
  });

  it('has no action whose effects change nothing in principle, yet those that change nothing now', () => {
    assert.equal(waves('(seen ?a)', { init: '(seen me_bar_1)' }), false);
    const again = play({ ...wave('()'), init: '(seen me_bar_1)' });
    again.step('wave');
    assert.ok(again.admissible.includes('wave'));
  });

  it('knows types below types', () => {
    const parts = {
      types: 'agent place box thing safe - box',
      objects: 'vault_bar_1 - safe',
      init: '(stands vault_bar_1 hall_bar_1)',
    };
    assert.ok(play(parts).admissible.includes('open vault 1'));
  });

  it('reads an official domain without its comments', () => {
    const { pddl_domain } = gameFile('potato');
    const stripped = replaced(gameFile('potato'), 'pddl_domain', [pddl_domain, pddl_domain.replace(/;.*/g, '')]);
    assert.deepEqual(new Play(new Game(stripped)).admissible, new Play(new Game(gameFile('potato'))).admissible);
  });

  it('says what is wrong with a PDDL text, and where', () => {
    assertFault('pddl', { goal: '(lost coin_bar_1)' }, /line 5: nothing declares the predicate lost/);
    assertFault('pddl', { goal: '(held coin_bar_1 coin_bar_2)' }, /held takes 1 terms, not 2/);
    assertFault('pddl', { goal: '(held ?x)' }, /\?x is bound by nothing/);
    assertFault('pddl', { goal: '(held coin_bar_9)' }, /no object coin_bar_9/);
    assertFault('pddl', { objects: 'coin_bar_1 - thing' }, /coin_bar_1 is declared twice/);
    assertFault('pddl', { objects: 'x - unicorn' }, /unicorn, which the domain does not declare/);
    assertFault('pddl', { goal: '(held coin_bar_1' }, /never closed/);
    assertFault('pddl', { goal: '(held coin_bar_1)))' }, /stands after the end/);
    assertFault('pddl', { goal: '(not '.repeat(1000) }, /more than 200 brackets in each other/);
    assertFault('pddl', { objects: 'ä - thing' }, /not ASCII/);
    assertFault('pddl', { actions: '(:derived (x) (y))' }, /:derived is not understood/);
  });
});

describe('ALFWorld: texts', () => {
  it('lists nothing, one, and more with a comma before the last "and" even of two', () => {
    const open = ['walk to yard 1', 'open crate 1'];
    assert.equal(answers({}, ...open)[1], 'It holds a coin 2, and a coin 1.');
    assert.equal(
      answers({ objects: 'coin_bar_3 - thing', init: '(in coin_bar_3 crate_bar_1)' }, ...open)[1],
      'It holds a coin 3, a coin 2, and a coin 1.',
    );
    assert.equal(answers({}, 'open chest 1')[0], 'It holds nothing.');
  });

  it('takes the first alternative that has a match, with what was deleted and never two names for one object', () => {
    const there = ['walk to yard 1', 'open crate 1', 'take coin 1 from crate 1', 'put coin 1 in crate 1'];
    const again = ['take coin 2 from crate 1', 'put coin 2 in crate 1'];
    // The other coin was never put down when the first one was: `not_held` holds of neither.
    assert.equal(answers({}, ...there).at(-1), 'Put.');
    assert.equal(answers({}, ...there, ...again).at(-1), 'Beside coin 2: coin 1.');
  });

  it('follows commands whose text depends on facts that change', () => {
    const parts = {
      actions: '(:action list :parameters (?a - agent) :precondition () :effect (seen ?a))',
      texts: 'action list { template :: "list [{b.name | open(b:box)}]"; feedback :: "Listed."; }',
    };
    const one = play(parts);
    assert.ok(one.admissible.includes('list nothing'));
    one.step('open chest 1');
    assert.ok(one.admissible.includes('list chest 1'));
    assert.ok(!one.admissible.includes('list nothing'));
    assert.equal(one.step('list chest 1'), 'Listed.');
  });

  it('complains when a text is needed that is not there', () => {
    const fault = (rules: string, message: RegExp): void =>
      assert.throws(
        () => play({ rules }),
        (error) => error instanceof GameError && error.reason === 'text' && message.test(error.message),
      );
    fault('"intro": [{"rhs": "#outro#"}]', /#outro#, but there is none/);
    fault('"intro": [{"rhs": "x", "condition": "held(t:thing)"}]', /no alternative applies/);
    fault('"intro": [{"rhs": "#intro#"}]', /never ends/);
    const doubling = Array.from(
      { length: 30 },
      (_, level) => `"a${level}": [{"rhs": "#a${level + 1}##a${level + 1}#"}]`,
    );
    fault(['"intro": [{"rhs": "#a0#"}]', ...doubling, '"a30": [{"rhs": ""}]'].join(', '), /never ends/);
    fault('"intro": [{"rhs": "{x.name}"}]', /speaks of x/);
    fault('"intro": [{"rhs": "{f(x)}"}]', /f\(x\)/);
    fault(`"intro": [{"rhs": "{${'('.repeat(20_000)}x}"}]`, /which is not understood/);
    fault('"intro": [{"rhs": "x", "condition": "held(t:thing"}]', /cannot be read/);
    fault('"intro": [{"rhs": "x", "condition": "in(t:thing, t:box)"}]', /two types/);
  });

  it('says what is wrong with a grammar, and where', () => {
    assertFault('grammar', { rules: '"intro": [{}]' }, /line 2: .*intro\.0\.rhs/);
    assertFault('grammar', { rules: 'intro' }, /line 2: .*no JSON/);
    assertFault('grammar', { texts: 'action wave { template :: "wave"; }' }, /wave needs a template and a feedback/);
    assertFault('grammar', { texts: 'action { }' }, /word should stand/);
    assertFault('grammar', { texts: '?' }, /cannot be read/);
    assertFault('grammar', { ...wave('()'), texts: '' }, /no text for the action wave/);
  });

  it('says what is wrong with a game file', () => {
    const message = (text: string) => (error: unknown) =>
      error instanceof GameError && error.reason === 'file' && error.message.includes(text);
    assert.throws(() => readGameFile('{'), message('A game file is JSON'));
    assert.throws(() => readGameFile('{"grammar": ""}'), message('pddl_domain'));
  });
});

describe('ALFWorld: names', () => {
  it('numbers the ids of a kind from the highest down, in ascending order', () => {
    const names = shownNames([
      'mug_bar__plus_02',
      'mug_bar__minus_01',
      'sink_bar_1_bar_sinkbasin',
      'sink_bar_1',
      'agent1',
    ]);
    assert.deepEqual(
      [...names],
      [
        ['agent1', 'agent1 '],
        ['mug_bar__minus_01', 'mug 2'],
        ['mug_bar__plus_02', 'mug 1'],
        ['sink_bar_1', 'sink 1'],
        ['sink_bar_1_bar_sinkbasin', 'sinkbasin 1'],
      ],
    );
  });

  it('counts only what the start speaks of', () => {
    const one = play({ objects: 'coin_bar_0 - thing', goal: '(held coin_bar_1)' });
    one.step('walk to yard 1');
    assert.equal(one.step('open crate 1'), 'It holds a coin 2, and a coin 1.');
  });

  it('leaves ids as they are where nothing is renamed', () => {
    const one = new Play(new Game(mini(), { rename: false }));
    assert.deepEqual(one.admissible, ['open chest_bar_1', 'walk to yard_bar_1']);
  });
});

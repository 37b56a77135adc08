/**
 * The ladder with everything that the loop passes on in its prompts (recent success, α, the plan), attempts that are
 * half right or not valid, and a checker that fails now and then.
 */
import type { GenerationContext, Scorer } from '../../../src/engine/ports.ts';
import type { Message } from '../../../src/shared/records/message.ts';
import type { Task } from '../../../src/shared/records/task.ts';
import type { Verdict } from '../../../src/shared/records/trace.ts';
import { LadderDomain, user } from '../scripted/ladder.ts';
import { stop, tokensOf } from './referencePolicy.ts';
import type { Reader } from './softmax.ts';

export class ReferenceDomain extends LadderDomain {
  /** The environment's contexts. */
  readonly told: GenerationContext[] = [];

  override environmentPrompt(context: GenerationContext, plan: Message | null): readonly Message[] {
    this.told.push(context);
    const asked = user(`write near ${context.seed.id} at ${context.recentSuccess ?? 'unknown'} aim ${context.target}`);
    return plan === null ? [asked] : [...(this.planPrompt?.(context) ?? []), plan, asked];
  }

  override environmentExample(task: Task, context?: GenerationContext): readonly Message[] | null {
    const asked = user(`write example at ${context?.recentSuccess ?? 'unknown'} aim ${context?.target ?? 'unknown'}`);
    return [asked, { role: 'assistant', content: `rung ${task.complexity['rung'] ?? 1} 0` }];
  }
}

/** Nothing executes its golds. */
export class UnexecutedDomain extends ReferenceDomain {
  needsAgreement(): boolean {
    return true;
  }
}

/** Half the reward for an answer that begins right; `x` makes it invalid, and `xx` breaks the checker. */
export class ReferenceScorer implements Scorer {
  score(task: Parameters<Scorer['score']>[0], trace: Parameters<Scorer['score']>[1]): Verdict {
    const answers = trace.messages.filter(({ role }) => role === 'assistant').map(({ content }) => content);
    const [first = '', last = first] = [answers[0], answers.at(-1)];
    if (answers.some((answer) => answer.startsWith('xx'))) {
      return { success: false, reward: 0, valid: false, error: 'The checker does not know "xx".' };
    }
    const success = trace.stopReason !== 'length' && answers.every((answer) => answer === task.gold);
    const half = first.startsWith(task.gold ?? '-') || last.startsWith(task.gold ?? '-') ? 0.5 : 0;
    return { success, reward: success ? 1 : half, valid: !answers.some((answer) => answer.includes('x')) };
  }
}

const digits = tokensOf('123456789');
const zero = 48;
const digitOf = (token: number): number => token - zero;

/** The turn being said, and everything before it, line by line. */
function turnIn(before: string): { own: string; lines: string[] } {
  const lines = before.split('\n');
  return { own: lines.pop() ?? '', lines };
}

/** Answers a rung: right more often on low ones, and often enough more than one character long. */
export const agentReader: Reader = {
  alphabet: [...digits, ...tokensOf('x'), stop],
  looks: [...digits.map((token) => `rung ${digitOf(token)}`), 'no rung', 'after a digit', 'after x'],
  initial(look, token) {
    const isDigit = digits.includes(token);
    if (look.startsWith('rung')) {
      const rung = Number(look.slice(5));
      if (token === stop) return -3;
      return isDigit && digitOf(token) === rung ? 4 - 0.4 * rung : 0.1;
    }
    if (look === 'after a digit') return token === stop ? 3.6 : 0;
    return token === stop ? 1.5 : 0;
  },
  read(before) {
    const { own, lines } = turnIn(before);
    if (own !== '') return [own.endsWith('x') ? 'after x' : 'after a digit'];
    const rung = lines.map((line) => /^climb ([1-9])/.exec(line)?.[1]).findLast((digit) => digit !== undefined);
    return [rung === undefined ? 'no rung' : `rung ${rung}`];
  },
};

const head = 'rung ';
const levels = ['unknown', 'low', 'middle', 'high'];
const aims = ['hard', 'even', 'easy'];

/** Writes `rung D N`: D by its context and its plan, N to make tasks different. */
export const environmentReader: Reader = {
  alphabet: [...new Set(tokensOf('rung 0?')), ...digits, stop],
  looks: [
    ...Array.from(head, (_, i) => `head ${i}`),
    ...levels.map((level) => `success ${level}`),
    ...aims.map((aim) => `aim ${aim}`),
    ...digits.map((token) => `planned ${digitOf(token)}`),
    ...['rung', 'after rung', 'nonce 0', 'nonce 1', 'nonce 2', 'nonce 3', 'plan', 'after plan', 'lost'],
  ],
  initial(look, token) {
    const [kind = '', detail = ''] = look.split(' ');
    const isDigit = digits.includes(token) || token === zero;
    const away = isDigit ? digitOf(token) - 5 : 0;
    if (kind === 'head') return textOfOne(token) === head[Number(detail)] ? 7 : 0;
    if (kind === 'success') return detail === 'low' ? -0.15 * away : detail === 'high' ? 0.15 * away : 0;
    if (kind === 'aim') return detail === 'hard' ? 0.2 * away : detail === 'easy' ? -0.2 * away : 0;
    if (kind === 'planned') return isDigit && digitOf(token) === Number(detail) ? 1 : 0;
    if (look === 'rung' || look === 'plan') return digits.includes(token) ? 2 - 0.15 * Math.abs(away) : -5;
    if (look === 'after rung') return token === 32 ? 6 : 0;
    if (look === 'after plan' || look === 'nonce 3' || look === 'lost') return token === stop ? 6 : 0;
    return isDigit ? 4 : token === stop && detail !== '0' ? 4 : 0;
  },
  read(before) {
    const { own, lines } = turnIn(before);
    const asked = lines.at(-1) ?? '';
    if (asked.startsWith('plan')) return [own === '' ? 'plan' : 'after plan'];
    if (own.length < head.length) return head.startsWith(own) ? [`head ${own.length}`] : ['lost'];
    if (!own.startsWith(head)) return ['lost'];
    const [rung = '', nonce] = own.slice(head.length).split(' ');
    if (nonce !== undefined) return [`nonce ${Math.min(3, nonce.length)}`];
    if (rung !== '') return ['after rung'];
    const [, success = 'unknown', aim = '0.5'] = / at (\S+) aim (\S+)/.exec(asked) ?? [];
    const planned = lines.map((line) => /^[1-9]$/.exec(line)?.[0]).find((digit) => digit !== undefined);
    return ['rung', `success ${levelOf(success)}`, `aim ${aimOf(Number(aim))}`].concat(
      planned === undefined ? [] : `planned ${planned}`,
    );
  },
};

const textOfOne = (token: number): string => String.fromCharCode(token);

function levelOf(success: string): string {
  if (success === 'unknown') return success;
  return Number(success) < 0.35 ? 'low' : Number(success) > 0.65 ? 'high' : 'middle';
}

const aimOf = (target: number): string => (target < 0.45 ? 'hard' : target > 0.55 ? 'easy' : 'even');

function stryNS_9fa48() {
  var g = typeof globalThis === 'object' && globalThis && globalThis.Math === Math && globalThis || new Function("return this")();
  var ns = g.__stryker__ || (g.__stryker__ = {});
  if (ns.activeMutant === undefined && g.process && g.process.env && g.process.env.__STRYKER_ACTIVE_MUTANT__) {
    ns.activeMutant = g.process.env.__STRYKER_ACTIVE_MUTANT__;
  }
  function retrieveNS() {
    return ns;
  }
  stryNS_9fa48 = retrieveNS;
  return retrieveNS();
}
stryNS_9fa48();
function stryCov_9fa48() {
  var ns = stryNS_9fa48();
  var cov = ns.mutantCoverage || (ns.mutantCoverage = {
    static: {},
    perTest: {}
  });
  function cover() {
    var c = cov.static;
    if (ns.currentTestId) {
      c = cov.perTest[ns.currentTestId] = cov.perTest[ns.currentTestId] || {};
    }
    var a = arguments;
    for (var i = 0; i < a.length; i++) {
      c[a[i]] = (c[a[i]] || 0) + 1;
    }
  }
  stryCov_9fa48 = cover;
  cover.apply(null, arguments);
}
function stryMutAct_9fa48(id) {
  var ns = stryNS_9fa48();
  function isActive(id) {
    if (ns.activeMutant === id) {
      if (ns.hitCount !== void 0 && ++ns.hitCount > ns.hitLimit) {
        throw new Error('Stryker: Hit count limit reached (' + ns.hitCount + ')');
      }
      return true;
    }
    return false;
  }
  stryMutAct_9fa48 = isActive;
  return isActive(id);
}
import type { Sequence } from '../../shared/records/trace.ts';
import type { Datum } from '../ports.ts';

/** Number of sampled tokens of a sequence. */
export function sampledCount({
  spans
}: Pick<Sequence, 'spans'>): number {
  if (stryMutAct_9fa48("200")) {
    {}
  } else {
    stryCov_9fa48("200");
    return spans.reduce(stryMutAct_9fa48("201") ? () => undefined : (stryCov_9fa48("201"), (sum, [start, end]) => stryMutAct_9fa48("202") ? sum + end + start : (stryCov_9fa48("202"), (stryMutAct_9fa48("203") ? sum - end : (stryCov_9fa48("203"), sum + end)) - start)), 0);
  }
}

/** Positions of the sampled tokens, in order; as many as `logprobs` has entries. */
function sampledPositions({
  spans
}: Pick<Sequence, 'spans'>): number[] {
  if (stryMutAct_9fa48("204")) {
    {}
  } else {
    stryCov_9fa48("204");
    const positions: number[] = stryMutAct_9fa48("205") ? ["Stryker was here"] : (stryCov_9fa48("205"), []);
    for (const [start, end] of spans) for (let i = start; stryMutAct_9fa48("208") ? i >= end : stryMutAct_9fa48("207") ? i <= end : stryMutAct_9fa48("206") ? false : (stryCov_9fa48("206", "207", "208"), i < end); stryMutAct_9fa48("209") ? i-- : (stryCov_9fa48("209"), i++)) if (stryMutAct_9fa48("210")) {
      ;
    } else {
      stryCov_9fa48("210");
      positions.push(i);
    }
    return positions;
  }
}

/** The entries of a full-length (L) array at the sampled positions. */
export function atSampled(sequence: Pick<Sequence, 'spans'>, full: readonly number[]): number[] {
  if (stryMutAct_9fa48("211")) {
    {}
  } else {
    stryCov_9fa48("211");
    return sampledPositions(sequence).map(stryMutAct_9fa48("212") ? () => undefined : (stryCov_9fa48("212"), i => stryMutAct_9fa48("213") ? full[i] && 0 : (stryCov_9fa48("213"), full[i] ?? 0)));
  }
}

/** Values of the sampled tokens laid out over the full length L, 0 elsewhere. */
function spread(sequence: Pick<Sequence, 'tokens' | 'spans'>, values: readonly number[]): number[] {
  if (stryMutAct_9fa48("214")) {
    {}
  } else {
    stryCov_9fa48("214");
    const full = (stryMutAct_9fa48("215") ? new Array() : (stryCov_9fa48("215"), new Array<number>(sequence.tokens.length))).fill(0);
    for (const [k, i] of sampledPositions(sequence).entries()) full[i] = stryMutAct_9fa48("216") ? values[k] && 0 : (stryCov_9fa48("216"), values[k] ?? 0);
    return full;
  }
}

/** A policy-gradient datum: `advantages` has one entry per sampled token. */
export function advantageDatum(sequence: Sequence, advantages: readonly number[]): Datum {
  if (stryMutAct_9fa48("217")) {
    {}
  } else {
    stryCov_9fa48("217");
    return stryMutAct_9fa48("218") ? {} : (stryCov_9fa48("218"), {
      tokens: sequence.tokens,
      logprobs: spread(sequence, sequence.logprobs),
      advantages: spread(sequence, advantages)
    });
  }
}

/** A cross-entropy datum: `weights` has one entry per sampled token. */
export function weightDatum(sequence: Pick<Sequence, 'tokens' | 'spans'>, weights: readonly number[]): Datum {
  if (stryMutAct_9fa48("219")) {
    {}
  } else {
    stryCov_9fa48("219");
    return stryMutAct_9fa48("220") ? {} : (stryCov_9fa48("220"), {
      tokens: sequence.tokens,
      weights: spread(sequence, weights)
    });
  }
}

/**
 * Joins a completion to the sequences of an episode: appended when its prompt starts with everything so far (one datum,
 * one forward pass), else a new sequence begins (a template that rewrote history).
 */
export function appendTurn(sequences: Sequence[], turn: {
  promptTokens: readonly number[];
  tokens: readonly number[];
  logprobs: readonly number[];
}): void {
  if (stryMutAct_9fa48("221")) {
    {}
  } else {
    stryCov_9fa48("221");
    const last = sequences.at(stryMutAct_9fa48("222") ? +1 : (stryCov_9fa48("222"), -1));
    const start = turn.promptTokens.length;
    const extended: Sequence = stryMutAct_9fa48("223") ? {} : (stryCov_9fa48("223"), {
      tokens: stryMutAct_9fa48("224") ? [] : (stryCov_9fa48("224"), [...turn.promptTokens, ...turn.tokens]),
      spans: stryMutAct_9fa48("225") ? [] : (stryCov_9fa48("225"), [stryMutAct_9fa48("226") ? [] : (stryCov_9fa48("226"), [start, stryMutAct_9fa48("227") ? start - turn.tokens.length : (stryCov_9fa48("227"), start + turn.tokens.length)])]),
      logprobs: stryMutAct_9fa48("228") ? [] : (stryCov_9fa48("228"), [...turn.logprobs])
    });
    const continues = stryMutAct_9fa48("231") ? last !== undefined && last.tokens.length <= turn.promptTokens.length || last.tokens.every((token, i) => token === turn.promptTokens[i]) : stryMutAct_9fa48("230") ? false : stryMutAct_9fa48("229") ? true : (stryCov_9fa48("229", "230", "231"), (stryMutAct_9fa48("233") ? last !== undefined || last.tokens.length <= turn.promptTokens.length : stryMutAct_9fa48("232") ? true : (stryCov_9fa48("232", "233"), (stryMutAct_9fa48("235") ? last === undefined : stryMutAct_9fa48("234") ? true : (stryCov_9fa48("234", "235"), last !== undefined)) && (stryMutAct_9fa48("238") ? last.tokens.length > turn.promptTokens.length : stryMutAct_9fa48("237") ? last.tokens.length < turn.promptTokens.length : stryMutAct_9fa48("236") ? true : (stryCov_9fa48("236", "237", "238"), last.tokens.length <= turn.promptTokens.length)))) && (stryMutAct_9fa48("239") ? last.tokens.some((token, i) => token === turn.promptTokens[i]) : (stryCov_9fa48("239"), last.tokens.every(stryMutAct_9fa48("240") ? () => undefined : (stryCov_9fa48("240"), (token, i) => stryMutAct_9fa48("243") ? token !== turn.promptTokens[i] : stryMutAct_9fa48("242") ? false : stryMutAct_9fa48("241") ? true : (stryCov_9fa48("241", "242", "243"), token === turn.promptTokens[i]))))));
    if (stryMutAct_9fa48("246") ? false : stryMutAct_9fa48("245") ? true : stryMutAct_9fa48("244") ? continues : (stryCov_9fa48("244", "245", "246"), !continues)) {
      if (stryMutAct_9fa48("247")) {
        {}
      } else {
        stryCov_9fa48("247");
        if (stryMutAct_9fa48("248")) {
          ;
        } else {
          stryCov_9fa48("248");
          sequences.push(extended);
        }
        return;
      }
    }
    sequences[stryMutAct_9fa48("249") ? sequences.length + 1 : (stryCov_9fa48("249"), sequences.length - 1)] = stryMutAct_9fa48("250") ? {} : (stryCov_9fa48("250"), {
      tokens: extended.tokens,
      spans: stryMutAct_9fa48("251") ? [] : (stryCov_9fa48("251"), [...last.spans, ...extended.spans]),
      logprobs: stryMutAct_9fa48("252") ? [] : (stryCov_9fa48("252"), [...last.logprobs, ...extended.logprobs])
    });
  }
}

/** A loss as it is recorded: six digits, so that endpoints which sum in another order record the same. */
export const recordedLoss = stryMutAct_9fa48("253") ? () => undefined : (stryCov_9fa48("253"), (() => {
  const recordedLoss = (loss: number): number => Number(loss.toPrecision(6));
  return recordedLoss;
})());

/** Logprobs are kept to six decimals: what the loop trains on is exactly what its records hold. */
export function recordedLogprobs(logprobs: readonly number[]): number[] {
  if (stryMutAct_9fa48("254")) {
    {}
  } else {
    stryCov_9fa48("254");
    return logprobs.map(stryMutAct_9fa48("255") ? () => undefined : (stryCov_9fa48("255"), value => stryMutAct_9fa48("256") ? Math.round(value * 1e6) * 1e6 : (stryCov_9fa48("256"), Math.round(stryMutAct_9fa48("257") ? value / 1e6 : (stryCov_9fa48("257"), value * 1e6)) / 1e6)));
  }
}
/**
 * KL estimates from logprobs of the same tokens under two policies (protocol of the cookbook: q sampled, p trained).
 * All in nats per token; arrays have one entry per token, of temperature 1.
 */

/** Most that one token may count for where a policy measures on what another sampled (truncated importance weights). */function stryNS_9fa48() {
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
const mostWeight = 10;

/** p/q of one token. */
const weightOf = stryMutAct_9fa48("98") ? () => undefined : (stryCov_9fa48("98"), (() => {
  const weightOf = (p: number, q: number): number => stryMutAct_9fa48("99") ? Math.max(mostWeight, Math.exp(p - q)) : (stryCov_9fa48("99"), Math.min(mostWeight, Math.exp(stryMutAct_9fa48("100") ? p + q : (stryCov_9fa48("100"), p - q))));
  return weightOf;
})());

/** Mean of q − p: unbiased, may be negative. */
export function klV1(q: readonly number[], p: readonly number[]): number {
  if (stryMutAct_9fa48("101")) {
    {}
  } else {
    stryCov_9fa48("101");
    return (stryMutAct_9fa48("104") ? q.length !== 0 : stryMutAct_9fa48("103") ? false : stryMutAct_9fa48("102") ? true : (stryCov_9fa48("102", "103", "104"), q.length === 0)) ? 0 : stryMutAct_9fa48("105") ? q.reduce((sum, value, i) => sum + value - (p[i] ?? value), 0) * q.length : (stryCov_9fa48("105"), q.reduce(stryMutAct_9fa48("106") ? () => undefined : (stryCov_9fa48("106"), (sum, value, i) => stryMutAct_9fa48("107") ? sum + value + (p[i] ?? value) : (stryCov_9fa48("107"), (stryMutAct_9fa48("108") ? sum - value : (stryCov_9fa48("108"), sum + value)) - (stryMutAct_9fa48("109") ? p[i] && value : (stryCov_9fa48("109"), p[i] ?? value)))), 0) / q.length);
  }
}

/** ½ mean (q − p)²: never negative, low variance near 0. */
export function klV2(q: readonly number[], p: readonly number[]): number {
  if (stryMutAct_9fa48("110")) {
    {}
  } else {
    stryCov_9fa48("110");
    return (stryMutAct_9fa48("113") ? q.length !== 0 : stryMutAct_9fa48("112") ? false : stryMutAct_9fa48("111") ? true : (stryCov_9fa48("111", "112", "113"), q.length === 0)) ? 0 : stryMutAct_9fa48("114") ? q.reduce((sum, value, i) => sum + (value - (p[i] ?? value)) ** 2, 0) * (2 * q.length) : (stryCov_9fa48("114"), q.reduce(stryMutAct_9fa48("115") ? () => undefined : (stryCov_9fa48("115"), (sum, value, i) => stryMutAct_9fa48("116") ? sum - (value - (p[i] ?? value)) ** 2 : (stryCov_9fa48("116"), sum + (stryMutAct_9fa48("117") ? value + (p[i] ?? value) : (stryCov_9fa48("117"), value - (stryMutAct_9fa48("118") ? p[i] && value : (stryCov_9fa48("118"), p[i] ?? value)))) ** 2)), 0) / (stryMutAct_9fa48("119") ? 2 / q.length : (stryCov_9fa48("119"), 2 * q.length)));
  }
}

/**
 * Entropy of a policy p on tokens that q sampled: −mean (p/q)·ln p. The weight makes it p's own entropy at q's prefixes;
 * without it an update would look as if it had raised the entropy, since −mean ln p is a cross-entropy.
 */
export function entropyAfter(q: readonly number[], p: readonly number[]): number {
  if (stryMutAct_9fa48("120")) {
    {}
  } else {
    stryCov_9fa48("120");
    if (stryMutAct_9fa48("123") ? q.length !== 0 : stryMutAct_9fa48("122") ? false : stryMutAct_9fa48("121") ? true : (stryCov_9fa48("121", "122", "123"), q.length === 0)) return 0;
    return stryMutAct_9fa48("124") ? -q.reduce((sum, value, i) => sum + weightOf(p[i] ?? value, value) * (p[i] ?? value), 0) * q.length : (stryCov_9fa48("124"), (stryMutAct_9fa48("125") ? +q.reduce((sum, value, i) => sum + weightOf(p[i] ?? value, value) * (p[i] ?? value), 0) : (stryCov_9fa48("125"), -q.reduce(stryMutAct_9fa48("126") ? () => undefined : (stryCov_9fa48("126"), (sum, value, i) => stryMutAct_9fa48("127") ? sum - weightOf(p[i] ?? value, value) * (p[i] ?? value) : (stryCov_9fa48("127"), sum + (stryMutAct_9fa48("128") ? weightOf(p[i] ?? value, value) / (p[i] ?? value) : (stryCov_9fa48("128"), weightOf(stryMutAct_9fa48("129") ? p[i] && value : (stryCov_9fa48("129"), p[i] ?? value), value) * (stryMutAct_9fa48("130") ? p[i] && value : (stryCov_9fa48("130"), p[i] ?? value)))))), 0))) / q.length);
  }
}

/**
 * KL(p ‖ b) of a policy p to a reference b on tokens that q sampled: mean (p/q)·(ln p − ln b). Without the weight, one
 * update away from b, it would estimate −KL(b ‖ p). May be slightly negative.
 */
export function klAfter(q: readonly number[], p: readonly number[], b: readonly number[]): number {
  if (stryMutAct_9fa48("131")) {
    {}
  } else {
    stryCov_9fa48("131");
    if (stryMutAct_9fa48("134") ? q.length !== 0 : stryMutAct_9fa48("133") ? false : stryMutAct_9fa48("132") ? true : (stryCov_9fa48("132", "133", "134"), q.length === 0)) return 0;
    const each = (value: number, i: number): number => {
      if (stryMutAct_9fa48("135")) {
        {}
      } else {
        stryCov_9fa48("135");
        const own = stryMutAct_9fa48("136") ? p[i] && value : (stryCov_9fa48("136"), p[i] ?? value);
        return stryMutAct_9fa48("137") ? weightOf(own, value) / (own - (b[i] ?? own)) : (stryCov_9fa48("137"), weightOf(own, value) * (stryMutAct_9fa48("138") ? own + (b[i] ?? own) : (stryCov_9fa48("138"), own - (stryMutAct_9fa48("139") ? b[i] && own : (stryCov_9fa48("139"), b[i] ?? own)))));
      }
    };
    return stryMutAct_9fa48("140") ? q.reduce((sum, value, i) => sum + each(value, i), 0) * q.length : (stryCov_9fa48("140"), q.reduce(stryMutAct_9fa48("141") ? () => undefined : (stryCov_9fa48("141"), (sum, value, i) => stryMutAct_9fa48("142") ? sum - each(value, i) : (stryCov_9fa48("142"), sum + each(value, i))), 0) / q.length);
  }
}

/**
 * KL to a reference as zero-mean shaping of the advantages: A_i += coefficient · (d̄ − d_i), d_i = q_i − b_i, d̄ the mean
 * over the whole batch. Returns the shaped advantages and d̄, the estimate of KL(policy ‖ reference).
 */
export function shapeAdvantages(advantages: readonly (readonly number[])[], sampled: readonly (readonly number[])[], reference: readonly (readonly number[])[], coefficient: number): {
  advantages: number[][];
  kl: number;
} {
  if (stryMutAct_9fa48("143")) {
    {}
  } else {
    stryCov_9fa48("143");
    let sum = 0;
    let tokens = 0;
    const differences = sampled.map((q, row) => {
      if (stryMutAct_9fa48("144")) {
        {}
      } else {
        stryCov_9fa48("144");
        const b = stryMutAct_9fa48("145") ? reference[row] && [] : (stryCov_9fa48("145"), reference[row] ?? (stryMutAct_9fa48("146") ? ["Stryker was here"] : (stryCov_9fa48("146"), [])));
        return q.map((value, i) => {
          if (stryMutAct_9fa48("147")) {
            {}
          } else {
            stryCov_9fa48("147");
            const d = stryMutAct_9fa48("148") ? value + (b[i] ?? value) : (stryCov_9fa48("148"), value - (stryMutAct_9fa48("149") ? b[i] && value : (stryCov_9fa48("149"), b[i] ?? value)));
            stryMutAct_9fa48("150") ? sum -= d : (stryCov_9fa48("150"), sum += d);
            stryMutAct_9fa48("151") ? tokens -= 1 : (stryCov_9fa48("151"), tokens += 1);
            return d;
          }
        });
      }
    });
    const mean = (stryMutAct_9fa48("154") ? tokens !== 0 : stryMutAct_9fa48("153") ? false : stryMutAct_9fa48("152") ? true : (stryCov_9fa48("152", "153", "154"), tokens === 0)) ? 0 : stryMutAct_9fa48("155") ? sum * tokens : (stryCov_9fa48("155"), sum / tokens);
    return stryMutAct_9fa48("156") ? {} : (stryCov_9fa48("156"), {
      kl: mean,
      advantages: advantages.map(stryMutAct_9fa48("157") ? () => undefined : (stryCov_9fa48("157"), (row, r) => row.map(stryMutAct_9fa48("158") ? () => undefined : (stryCov_9fa48("158"), (a, i) => stryMutAct_9fa48("159") ? a - coefficient * (mean - (differences[r]?.[i] ?? mean)) : (stryCov_9fa48("159"), a + (stryMutAct_9fa48("160") ? coefficient / (mean - (differences[r]?.[i] ?? mean)) : (stryCov_9fa48("160"), coefficient * (stryMutAct_9fa48("161") ? mean + (differences[r]?.[i] ?? mean) : (stryCov_9fa48("161"), mean - (stryMutAct_9fa48("162") ? differences[r]?.[i] && mean : (stryCov_9fa48("162"), (stryMutAct_9fa48("163") ? differences[r][i] : (stryCov_9fa48("163"), differences[r]?.[i])) ?? mean)))))))))))
    });
  }
}
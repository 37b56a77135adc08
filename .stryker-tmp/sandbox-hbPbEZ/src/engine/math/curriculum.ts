/** The difficulty-aligned reward of the environment and what follows from it (paper §2.2.2, §2.4). */

/** Comparison slack of the band: p̂ = 0.4 and 0.6 are inside k_min = 0.1. */function stryNS_9fa48() {
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
const tolerance = 1e-9;

/** R_env = exp(−β(p̂ − α)²) (Eq. 3), in (0, 1]. */
export function environmentReward(p: number, {
  alpha,
  beta
}: {
  alpha: number;
  beta: number;
}): number {
  if (stryMutAct_9fa48("36")) {
    {}
  } else {
    stryCov_9fa48("36");
    return Math.exp(stryMutAct_9fa48("37") ? -beta / (p - alpha) ** 2 : (stryCov_9fa48("37"), (stryMutAct_9fa48("38") ? +beta : (stryCov_9fa48("38"), -beta)) * (stryMutAct_9fa48("39") ? p + alpha : (stryCov_9fa48("39"), p - alpha)) ** 2));
  }
}

/** Whether |p̂ − α| ≤ k_min. */
export function inBand(p: number, {
  alpha,
  kMin
}: {
  alpha: number;
  kMin: number;
}): boolean {
  if (stryMutAct_9fa48("40")) {
    {}
  } else {
    stryCov_9fa48("40");
    return stryMutAct_9fa48("44") ? Math.abs(p - alpha) > kMin + tolerance : stryMutAct_9fa48("43") ? Math.abs(p - alpha) < kMin + tolerance : stryMutAct_9fa48("42") ? false : stryMutAct_9fa48("41") ? true : (stryCov_9fa48("41", "42", "43", "44"), Math.abs(stryMutAct_9fa48("45") ? p + alpha : (stryCov_9fa48("45"), p - alpha)) <= (stryMutAct_9fa48("46") ? kMin - tolerance : (stryCov_9fa48("46"), kMin + tolerance)));
  }
}

/**
 * The difficulty filter: 1 keeps, 0 leaves out. `soft` keeps what is inside whole and fades what is outside with a
 * Gaussian of width k_min, so that a cold start still has something to learn from.
 */
export function keepShare(p: number, filter: 'hard' | 'soft' | 'off', band: {
  alpha: number;
  kMin: number;
}): number {
  if (stryMutAct_9fa48("47")) {
    {}
  } else {
    stryCov_9fa48("47");
    if (stryMutAct_9fa48("50") ? filter === 'off' && inBand(p, band) : stryMutAct_9fa48("49") ? false : stryMutAct_9fa48("48") ? true : (stryCov_9fa48("48", "49", "50"), (stryMutAct_9fa48("52") ? filter !== 'off' : stryMutAct_9fa48("51") ? false : (stryCov_9fa48("51", "52"), filter === (stryMutAct_9fa48("53") ? "" : (stryCov_9fa48("53"), 'off')))) || inBand(p, band))) return 1;
    if (stryMutAct_9fa48("56") ? filter === 'hard' && band.kMin === 0 : stryMutAct_9fa48("55") ? false : stryMutAct_9fa48("54") ? true : (stryCov_9fa48("54", "55", "56"), (stryMutAct_9fa48("58") ? filter !== 'hard' : stryMutAct_9fa48("57") ? false : (stryCov_9fa48("57", "58"), filter === (stryMutAct_9fa48("59") ? "" : (stryCov_9fa48("59"), 'hard')))) || (stryMutAct_9fa48("61") ? band.kMin !== 0 : stryMutAct_9fa48("60") ? false : (stryCov_9fa48("60", "61"), band.kMin === 0)))) return 0;
    const excess = stryMutAct_9fa48("62") ? (Math.abs(p - band.alpha) - band.kMin) * band.kMin : (stryCov_9fa48("62"), (stryMutAct_9fa48("63") ? Math.abs(p - band.alpha) + band.kMin : (stryCov_9fa48("63"), Math.abs(stryMutAct_9fa48("64") ? p + band.alpha : (stryCov_9fa48("64"), p - band.alpha)) - band.kMin)) / band.kMin);
    return Math.exp(stryMutAct_9fa48("65") ? -(excess ** 2) * 2 : (stryCov_9fa48("65"), (stryMutAct_9fa48("66") ? +(excess ** 2) : (stryCov_9fa48("66"), -(excess ** 2))) / 2));
  }
}

/** Self-normalised weights ∝ keep · exp(λR) (§2.4); they sum to 1, or are all 0 when nothing is kept. */
export function regressionWeights(units: readonly {
  reward: number;
  keep: number;
}[], lambda: number): number[] {
  if (stryMutAct_9fa48("67")) {
    {}
  } else {
    stryCov_9fa48("67");
    // Subtracting the largest reward changes nothing after normalisation and keeps exp(λR) finite for any λ.
    const top = units.reduce(stryMutAct_9fa48("68") ? () => undefined : (stryCov_9fa48("68"), (most, unit) => (stryMutAct_9fa48("72") ? unit.keep <= 0 : stryMutAct_9fa48("71") ? unit.keep >= 0 : stryMutAct_9fa48("70") ? false : stryMutAct_9fa48("69") ? true : (stryCov_9fa48("69", "70", "71", "72"), unit.keep > 0)) ? stryMutAct_9fa48("73") ? Math.min(most, unit.reward) : (stryCov_9fa48("73"), Math.max(most, unit.reward)) : most), 0);
    const raw = units.map(stryMutAct_9fa48("74") ? () => undefined : (stryCov_9fa48("74"), ({
      keep,
      reward
    }) => (stryMutAct_9fa48("77") ? keep !== 0 : stryMutAct_9fa48("76") ? false : stryMutAct_9fa48("75") ? true : (stryCov_9fa48("75", "76", "77"), keep === 0)) ? 0 : stryMutAct_9fa48("78") ? keep / Math.exp(lambda * (reward - top)) : (stryCov_9fa48("78"), keep * Math.exp(stryMutAct_9fa48("79") ? lambda / (reward - top) : (stryCov_9fa48("79"), lambda * (stryMutAct_9fa48("80") ? reward + top : (stryCov_9fa48("80"), reward - top)))))));
    const total = raw.reduce(stryMutAct_9fa48("81") ? () => undefined : (stryCov_9fa48("81"), (sum, weight) => stryMutAct_9fa48("82") ? sum - weight : (stryCov_9fa48("82"), sum + weight)), 0);
    return (stryMutAct_9fa48("85") ? total !== 0 : stryMutAct_9fa48("84") ? false : stryMutAct_9fa48("83") ? true : (stryCov_9fa48("83", "84", "85"), total === 0)) ? raw : raw.map(stryMutAct_9fa48("86") ? () => undefined : (stryCov_9fa48("86"), weight => stryMutAct_9fa48("87") ? weight * total : (stryCov_9fa48("87"), weight / total)));
  }
}

/** (Σw)²/Σw²: how many equally weighted units these weights are worth; 0 without any. */
export function effectiveSampleSize(weights: Iterable<number>): number {
  if (stryMutAct_9fa48("88")) {
    {}
  } else {
    stryCov_9fa48("88");
    let sum = 0;
    let squares = 0;
    for (const weight of weights) {
      if (stryMutAct_9fa48("89")) {
        {}
      } else {
        stryCov_9fa48("89");
        stryMutAct_9fa48("90") ? sum -= weight : (stryCov_9fa48("90"), sum += weight);
        stryMutAct_9fa48("91") ? squares -= weight * weight : (stryCov_9fa48("91"), squares += stryMutAct_9fa48("92") ? weight / weight : (stryCov_9fa48("92"), weight * weight));
      }
    }
    return (stryMutAct_9fa48("95") ? squares !== 0 : stryMutAct_9fa48("94") ? false : stryMutAct_9fa48("93") ? true : (stryCov_9fa48("93", "94", "95"), squares === 0)) ? 0 : stryMutAct_9fa48("96") ? sum * sum * squares : (stryCov_9fa48("96"), (stryMutAct_9fa48("97") ? sum / sum : (stryCov_9fa48("97"), sum * sum)) / squares);
  }
}
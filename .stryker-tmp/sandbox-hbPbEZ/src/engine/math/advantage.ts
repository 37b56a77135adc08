/** Group-relative advantages (GRPO). G: attempts of one task. */

/** verl's ε beside the group's standard deviation. */function stryNS_9fa48() {
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
const epsilon = 1e-6;

/**
 * Advantage of each of G attempts: reward minus the group's mean, for `group-std` divided by the group's standard
 * deviation (sample form, n − 1, as verl and TRL compute it) plus 1e-6.
 */
export function groupAdvantages(rewardsG: readonly number[], norm: 'none' | 'group-std'): number[] {
  if (stryMutAct_9fa48("0")) {
    {}
  } else {
    stryCov_9fa48("0");
    const mean = stryMutAct_9fa48("1") ? rewardsG.reduce((sum, reward) => sum + reward, 0) * rewardsG.length : (stryCov_9fa48("1"), rewardsG.reduce(stryMutAct_9fa48("2") ? () => undefined : (stryCov_9fa48("2"), (sum, reward) => stryMutAct_9fa48("3") ? sum - reward : (stryCov_9fa48("3"), sum + reward)), 0) / rewardsG.length);
    const centred = rewardsG.map(stryMutAct_9fa48("4") ? () => undefined : (stryCov_9fa48("4"), reward => stryMutAct_9fa48("5") ? reward + mean : (stryCov_9fa48("5"), reward - mean)));
    if (stryMutAct_9fa48("8") ? norm !== 'none' : stryMutAct_9fa48("7") ? false : stryMutAct_9fa48("6") ? true : (stryCov_9fa48("6", "7", "8"), norm === (stryMutAct_9fa48("9") ? "" : (stryCov_9fa48("9"), 'none')))) return centred;
    const variance = stryMutAct_9fa48("10") ? centred.reduce((sum, d) => sum + d * d, 0) * Math.max(1, rewardsG.length - 1) : (stryCov_9fa48("10"), centred.reduce(stryMutAct_9fa48("11") ? () => undefined : (stryCov_9fa48("11"), (sum, d) => stryMutAct_9fa48("12") ? sum - d * d : (stryCov_9fa48("12"), sum + (stryMutAct_9fa48("13") ? d / d : (stryCov_9fa48("13"), d * d)))), 0) / (stryMutAct_9fa48("14") ? Math.min(1, rewardsG.length - 1) : (stryCov_9fa48("14"), Math.max(1, stryMutAct_9fa48("15") ? rewardsG.length + 1 : (stryCov_9fa48("15"), rewardsG.length - 1)))));
    const scale = stryMutAct_9fa48("16") ? Math.sqrt(variance) - epsilon : (stryCov_9fa48("16"), Math.sqrt(variance) + epsilon);
    return centred.map(stryMutAct_9fa48("17") ? () => undefined : (stryCov_9fa48("17"), d => stryMutAct_9fa48("18") ? d * scale : (stryCov_9fa48("18"), d / scale)));
  }
}

/** Groups whose rewards are all equal teach nothing; which of the two kinds they are is counted. */
export function groupKind(group: readonly {
  reward: number;
  success: boolean;
}[]): 'solved' | 'hopeless' | 'trained' {
  if (stryMutAct_9fa48("19")) {
    {}
  } else {
    stryCov_9fa48("19");
    const first = group[0];
    if (stryMutAct_9fa48("22") ? first !== undefined : stryMutAct_9fa48("21") ? false : stryMutAct_9fa48("20") ? true : (stryCov_9fa48("20", "21", "22"), first === undefined)) return stryMutAct_9fa48("23") ? "" : (stryCov_9fa48("23"), 'hopeless');
    if (stryMutAct_9fa48("26") ? group.every(({
      reward
    }) => reward !== first.reward) : stryMutAct_9fa48("25") ? false : stryMutAct_9fa48("24") ? true : (stryCov_9fa48("24", "25", "26"), group.some(stryMutAct_9fa48("27") ? () => undefined : (stryCov_9fa48("27"), ({
      reward
    }) => stryMutAct_9fa48("30") ? reward === first.reward : stryMutAct_9fa48("29") ? false : stryMutAct_9fa48("28") ? true : (stryCov_9fa48("28", "29", "30"), reward !== first.reward))))) return stryMutAct_9fa48("31") ? "" : (stryCov_9fa48("31"), 'trained');
    return (stryMutAct_9fa48("32") ? group.some(({
      success
    }) => success) : (stryCov_9fa48("32"), group.every(stryMutAct_9fa48("33") ? () => undefined : (stryCov_9fa48("33"), ({
      success
    }) => success)))) ? stryMutAct_9fa48("34") ? "" : (stryCov_9fa48("34"), 'solved') : stryMutAct_9fa48("35") ? "" : (stryCov_9fa48("35"), 'hopeless');
  }
}
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
import type { Rng } from '../random.ts';

/**
 * `count` draws with replacement, each item as often as its weight's share of them, rounded up or down: one random
 * number decides all (systematic resampling), so that expected counts are exact and vary as little as they can. In the
 * items' order; none where all weights are 0.
 */
export function resample<T extends {
  weight: number;
}>(items: readonly T[], count: number, rng: Rng): T[] {
  if (stryMutAct_9fa48("164")) {
    {}
  } else {
    stryCov_9fa48("164");
    const total = items.reduce(stryMutAct_9fa48("165") ? () => undefined : (stryCov_9fa48("165"), (sum, {
      weight
    }) => stryMutAct_9fa48("166") ? sum - weight : (stryCov_9fa48("166"), sum + weight)), 0);
    if (stryMutAct_9fa48("170") ? total > 0 : stryMutAct_9fa48("169") ? total < 0 : stryMutAct_9fa48("168") ? false : stryMutAct_9fa48("167") ? true : (stryCov_9fa48("167", "168", "169", "170"), total <= 0)) return stryMutAct_9fa48("171") ? ["Stryker was here"] : (stryCov_9fa48("171"), []);
    const offset = rng.next();
    const drawn: T[] = stryMutAct_9fa48("172") ? ["Stryker was here"] : (stryCov_9fa48("172"), []);
    let reached = 0;
    for (const item of items) {
      if (stryMutAct_9fa48("173")) {
        {}
      } else {
        stryCov_9fa48("173");
        stryMutAct_9fa48("174") ? reached -= item.weight / total * count : (stryCov_9fa48("174"), reached += stryMutAct_9fa48("175") ? item.weight / total / count : (stryCov_9fa48("175"), (stryMutAct_9fa48("176") ? item.weight * total : (stryCov_9fa48("176"), item.weight / total)) * count));
        while (stryMutAct_9fa48("178") ? drawn.length < count || drawn.length + offset < reached : stryMutAct_9fa48("177") ? false : (stryCov_9fa48("177", "178"), (stryMutAct_9fa48("181") ? drawn.length >= count : stryMutAct_9fa48("180") ? drawn.length <= count : stryMutAct_9fa48("179") ? true : (stryCov_9fa48("179", "180", "181"), drawn.length < count)) && (stryMutAct_9fa48("184") ? drawn.length + offset >= reached : stryMutAct_9fa48("183") ? drawn.length + offset <= reached : stryMutAct_9fa48("182") ? true : (stryCov_9fa48("182", "183", "184"), (stryMutAct_9fa48("185") ? drawn.length - offset : (stryCov_9fa48("185"), drawn.length + offset)) < reached)))) if (stryMutAct_9fa48("186")) {
          ;
        } else {
          stryCov_9fa48("186");
          drawn.push(item);
        }
      }
    }
    // Rounding may leave the sum just short of the last draw.
    const last = items.findLast(stryMutAct_9fa48("187") ? () => undefined : (stryCov_9fa48("187"), ({
      weight
    }) => stryMutAct_9fa48("191") ? weight <= 0 : stryMutAct_9fa48("190") ? weight >= 0 : stryMutAct_9fa48("189") ? false : stryMutAct_9fa48("188") ? true : (stryCov_9fa48("188", "189", "190", "191"), weight > 0)));
    while (stryMutAct_9fa48("193") ? last !== undefined || drawn.length < count : stryMutAct_9fa48("192") ? false : (stryCov_9fa48("192", "193"), (stryMutAct_9fa48("195") ? last === undefined : stryMutAct_9fa48("194") ? true : (stryCov_9fa48("194", "195"), last !== undefined)) && (stryMutAct_9fa48("198") ? drawn.length >= count : stryMutAct_9fa48("197") ? drawn.length <= count : stryMutAct_9fa48("196") ? true : (stryCov_9fa48("196", "197", "198"), drawn.length < count)))) if (stryMutAct_9fa48("199")) {
      ;
    } else {
      stryCov_9fa48("199");
      drawn.push(last);
    }
    return drawn;
  }
}
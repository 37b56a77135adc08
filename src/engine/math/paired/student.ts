/** Student's t, central and not: distribution, quantile, power of a paired test. To about ten digits. */

/** Lanczos' approximation (g = 7, n = 9). */
const lanczos = [
  0.999_999_999_999_809_9, 676.520_368_121_885_1, -1259.139_216_722_402_8, 771.323_428_777_653_1,
  -176.615_029_162_140_6, 12.507_343_278_686_905, -0.138_571_095_265_720_12, 9.984_369_578_019_572e-6,
  1.505_632_735_149_311_6e-7,
];

function logGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x);
  const t = x + 6.5;
  const series = lanczos.reduce((sum, c, i) => sum + (i === 0 ? c : c / (x - 1 + i)), 0);
  return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(t) - t + Math.log(series);
}

const tiny = 1e-300;

/** Regularised incomplete beta function, by Lentz's continued fraction (Numerical Recipes, 6.4). */
function incompleteBeta(a: number, b: number, x: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(b, a, 1 - x);
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x)) / a;
  const safe = (value: number): number => (Math.abs(value) < tiny ? tiny : value);
  let c = 1;
  let d = 1 / safe(1 - ((a + b) * x) / (a + 1));
  let f = d;
  for (let m = 1; m < 500; m++) {
    for (const step of [
      (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m)),
      (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1)),
    ]) {
      d = 1 / safe(1 + step * d);
      c = safe(1 + step / c);
      f *= c * d;
    }
    if (Math.abs(c * d - 1) < 1e-15) break;
  }
  return front * f;
}

/** P(T ≤ t) with ν degrees of freedom. */
export function studentCdf(t: number, freedom: number): number {
  const tail = 0.5 * incompleteBeta(freedom / 2, 0.5, freedom / (freedom + t * t));
  return t > 0 ? 1 - tail : tail;
}

/** By p, then by ν: journals have few different ν, and ask for each of them many times. */
const quantiles = new Map<number, Map<number, number>>();

/** Where P(T ≤ t) = p, ½ ≤ p < 1; infinite without a degree of freedom. */
export function studentQuantile(p: number, freedom: number): number {
  if (freedom <= 0) return Infinity;
  const known = quantiles.get(p) ?? new Map<number, number>();
  quantiles.set(p, known);
  const quantile = known.get(freedom) ?? bisected(p, freedom);
  known.set(freedom, quantile);
  return quantile;
}

function bisected(p: number, freedom: number): number {
  let [low, high] = [0, 1];
  while (studentCdf(high, freedom) < p && high < 1e12) high *= 2;
  for (let i = 0; i < 200 && high - low > 1e-13 * high; i++) {
    const middle = (low + high) / 2;
    if (studentCdf(middle, freedom) < p) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** Φ(x), by its series near 0 and its continued fraction in the tails. */
function normalCdf(x: number): number {
  if (x < 0) return 1 - normalCdf(-x);
  const density = Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
  if (x < 3) {
    let [term, sum] = [x, x];
    for (let k = 1; term > 1e-17 * sum; k++) sum += term *= (x * x) / (2 * k + 1);
    return 0.5 + density * sum;
  }
  let fraction = x;
  for (let k = 60; k > 0; k--) fraction = x + k / fraction;
  return 1 - density / fraction;
}

/** Steps of Simpson's rule over the chi distribution. */
const steps = 1000;

/**
 * Chance that a two-sided paired t test of n pairs finds a true mean difference of d standard deviations at this level:
 * P(|T′| > t) of the noncentral t, as an integral over the sample's standard deviation.
 */
export function pairedPower(d: number, pairs: number, level: number): number {
  const freedom = pairs - 1;
  if (freedom < 1) return 0;
  const critical = studentQuantile(1 - level / 2, freedom);
  const shift = Math.abs(d) * Math.sqrt(pairs);
  // s = √(χ²/ν); its density in logarithms.
  const front = Math.LN2 + (freedom / 2) * Math.log(freedom / 2) - logGamma(freedom / 2);
  const density = (s: number): number =>
    s <= 0
      ? freedom === 1
        ? Math.exp(front)
        : 0
      : Math.exp(front + (freedom - 1) * Math.log(s) - (freedom * s * s) / 2);
  const most = 1 + 12 / Math.sqrt(freedom);
  let sum = 0;
  for (let i = 0; i <= steps; i++) {
    // s = most · u⁴: with few pairs and a strict level everything happens close to 0.
    const u = i / steps;
    const s = most * u ** 4;
    const found = normalCdf(shift - critical * s) + normalCdf(-shift - critical * s);
    sum += (i === 0 || i === steps ? 1 : i % 2 === 1 ? 4 : 2) * found * density(s) * 4 * most * u ** 3;
  }
  return Math.min(1, Math.max(0, sum / steps / 3));
}

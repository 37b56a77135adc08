"""Makes vectors.json: pip install scipy statsmodels; python vectors.py > vectors.json. Shares no code with src/features/study."""
import json
import numpy as np
from scipy import integrate, stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.power import TTestPower

rng = np.random.default_rng(7)
samples = [
    [0.125, 0.25, 0, 0.375, -0.125, 0.25],
    [0.019, 0.031, -0.004, 0.022, 0.008],
    [1.5, -2.5, 3.5, 4.5, -0.5, 6.5, 7.5, 8.5],
    [round(float(x), 4) for x in rng.normal(0.3, 1, 12)],
    [round(float(x), 4) for x in rng.normal(0, 1, 16)],
]


def flips(d):
    test = lambda x, axis: np.mean(x, axis=axis)
    return stats.permutation_test((np.array(d),), test, permutation_type="samples", n_resamples=np.inf, vectorized=True).pvalue


def evidence(d, g):
    """The Bayes factor by integrating the noncentral t over the effect sizes, not by the closed form."""
    n = len(d)
    t = np.mean(d) / np.std(d, ddof=1) * np.sqrt(n)
    over = lambda delta: stats.nct.pdf(t, n - 1, delta * np.sqrt(n)) * stats.norm.pdf(delta, scale=np.sqrt(g))
    return integrate.quad(over, -8, 8, limit=400)[0] / stats.t.pdf(t, n - 1)


power = TTestPower()
print(json.dumps({
    "signFlip": [{"d": d, "p": float(flips(d))} for d in samples],
    "wilcoxon": [{"d": d, "p": float(stats.wilcoxon(d, method="exact").pvalue)} for d in samples if len(set(map(abs, d))) == len(d) and 0 not in d],
    "interval": [{"d": d, "low": float(i.low), "high": float(i.high)} for d in samples for i in [stats.ttest_1samp(d, 0).confidence_interval(0.95)]],
    "quantile": [{"p": p, "freedom": f, "t": float(stats.t.ppf(p, f))} for p in (0.75, 0.975, 0.9995) for f in (1, 2, 5, 9, 30, 200)],
    "holm": [{"p": p, "adjusted": [float(x) for x in multipletests(p, method="holm")[1]]} for p in ([0.01, 0.04, 0.03, 0.005], [0.2], [0.5, 0.9, 0.001, 0.001, 0.02])],
    "power": [{"d": d, "n": n, "level": a, "power": float(power.power(d, n, a, alternative="two-sided"))} for d in (0.2, 0.8, 1.5) for n in (2, 3, 5, 10, 40) for a in (0.05, 0.005) if np.isfinite(power.power(d, n, a, alternative="two-sided"))],
    "seeds": [{"d": d, "level": a, "n": int(np.ceil(power.solve_power(d, None, a, 0.8, alternative="two-sided")))} for d in (0.3, 0.8, 1.2) for a in (0.05, 0.01)],
    "evidence": [{"d": d, "g": g, "e": float(evidence(d, g))} for d in samples for g in (0.5, 1)],
}, indent=1))

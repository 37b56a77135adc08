"""The method's formulas, written from docs/method.md and the paper alone. Nothing here is shared with src/."""

import math

Z = 1.959963984540054


def mean(values):
    values = list(values)
    return math.fsum(values) / len(values) if values else None


def rounded(value):
    """Halves go up; None where there is nothing to round."""
    return None if value is None else math.floor(value + 0.5)


def share(items, part, count):
    """The part-th of `count` equal shares, in order."""
    return items[part * len(items) // count : (part + 1) * len(items) // count]


def student(freedom):
    """97.5 % quantile of Student's t, by bisection of its distribution (Abramowitz and Stegun 26.7.3 and 26.7.4)."""

    def inside(t):
        """P(|T| < t)."""
        angle = math.atan(t / math.sqrt(freedom))
        cosine, sine = math.cos(angle), math.sin(angle)
        term, total = (cosine, cosine) if freedom % 2 else (1.0, 1.0)
        for k in range(3 if freedom % 2 else 2, freedom - 1, 2):
            term *= (k - 1) / k * cosine**2
            total += term
        if freedom == 1:
            return 2 * angle / math.pi
        return 2 / math.pi * (angle + sine * total) if freedom % 2 else sine * total

    low, high = 1.0, 20.0
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if inside(middle) < 0.95 else (low, middle)
    return (low + high) / 2


def wilson(successes, attempts, effective):
    """Wilson's score interval of successes/attempts on so many independent attempts."""
    if attempts == 0:
        return 0, 1
    p = successes / attempts
    spread = Z**2 / effective
    centre = (p + spread / 2) / (1 + spread)
    half = Z / (1 + spread) * math.sqrt(p * (1 - p) / effective + spread / (4 * effective))
    low = 0 if successes == 0 else max(0, centre - half)
    return low, 1 if successes == attempts else min(1, centre + half)


def worth(clusters, rho):
    """n over Kish's design effect; clusters are (successes, attempts)."""
    attempts = sum(n for _, n in clusters)
    return attempts / (1 + (sum(n * n for _, n in clusters) / attempts - 1) * rho)


def correlation(groups, assumed):
    """Variance components of clusters about their group's mean; the assumed correlation is one more cluster at p = 1/2."""
    between, everything = assumed / 4, 1 / 4
    for group in groups:
        clusters = [(k, n) for k, n in group if n > 0]
        count, attempts = len(clusters), sum(n for _, n in clusters)
        if count < 2 or attempts == count:
            continue
        p = sum(k for k, _ in clusters) / attempts
        mean_between = math.fsum(n * (k / n - p) ** 2 for k, n in clusters) / (count - 1)
        mean_within = math.fsum(k * (n - k) / n for k, n in clusters) / (attempts - count)
        size = (attempts - sum(n * n for _, n in clusters) / attempts) / (count - 1)
        component = (mean_between - mean_within) / size
        between += count * component
        everything += count * (component + mean_within)
    return min(1.0, max(0.0, between / everything))


def worth_of_few(clusters, assumed):
    """Independent attempts that clusters drawn from many are worth."""
    clusters = [(k, n) for k, n in clusters if n > 0]
    if not clusters:
        return 0
    few = (Z / student(len(clusters))) ** 2
    return max(worth(clusters, correlation([clusters], assumed)) * few, worth(clusters, 1))


def deciding(successes, attempts, estimate):
    if estimate == "posterior":
        return (successes + 1) / (attempts + 2)
    return successes / attempts if attempts else 0


def reward(p, curriculum):
    return math.exp(-curriculum["beta"] * (p - curriculum["alpha"]) ** 2)


def kind_of(curriculum):
    """Runs of earlier releases know the kernel alone."""
    return curriculum.get("reward", {}).get("kind", "kernel")


def on_rate(p, curriculum):
    """Kinds on p̂ of the scope; None for one that is measured otherwise."""
    kind = kind_of(curriculum)
    return reward(p, curriculum) if kind == "kernel" else float(in_band(p, curriculum)) if kind == "step" else None


def on_task(k, n, signal, curriculum):
    """Kinds measured task by task, docs/curricula.md; None where nothing can be known."""
    kind, p = kind_of(curriculum), k / n if n else None
    if n == 0 or (n == 1 and kind in ("learnability-unbiased", "variance")):
        return None
    if kind == "learnability":
        return p * (1 - p)
    if kind == "learnability-unbiased":
        return p * (1 - p) * n / (n - 1)
    if kind == "variance":
        return p * (1 - p) / ((n // 2) * (n - n // 2) / n**2)
    if kind == "uncertainty":
        return max(0, 1 - abs(2 * p - 1) - curriculum["reward"]["repetition"] * (signal or 0))
    if kind == "proposer":
        return 0 if k in (0, n) else 1 - p
    if signal is None and kind in ("regret", "advantage"):
        # A branch may have another kind than its shared epochs: their verdicts count.
        return signal_of(kind, [1] * k + [0] * (n - k))
    return signal


def signal_of(kind, rewards):
    """What rewards of one task's judged attempts tell beside counts."""
    if kind not in ("regret", "advantage") or not rewards:
        return None
    middle = mean(rewards)
    return max(rewards) - middle if kind == "regret" else mean(abs(one - middle) for one in rewards)


def in_band(p, curriculum):
    return abs(p - curriculum["alpha"]) <= curriculum["kMin"] + 1e-9


def keep(p, curriculum, filter_):
    if filter_ == "off" or in_band(p, curriculum):
        return 1.0
    width = curriculum["kMin"]
    if filter_ == "hard" or width == 0:
        return 0.0
    return math.exp(-(((abs(p - curriculum["alpha"]) - width) / width) ** 2) / 2)


def weights(units, lambda_):
    """Of (R_env, kept share) pairs: proportional to kept · exp(λR), summing to 1."""
    masses = [share * math.exp(lambda_ * (r - 1)) if share else 0.0 for r, share in units]
    total = math.fsum(masses)
    return [mass / total for mass in masses] if total else masses


def best(units, share):
    """Of (R_env, kept share) pairs: the kept ones among the best share of these, and what earns as much; summing to 1."""
    earned = sorted((r for r, kept in units if kept), reverse=True)
    if not earned:
        return [0.0 for _ in units]
    last = earned[math.ceil(share * len(earned) - 1e-9) - 1]
    masses = [kept if kept and r >= last - 1e-9 else 0.0 for r, kept in units]
    total = math.fsum(masses)
    return [mass / total for mass in masses]


def update_of(environment):
    """Runs of earlier releases know the regression alone."""
    return environment.get("update", "rwr")


def shares_of(units, curriculum, environment):
    """Shares of (R_env, kept share) pairs in the environment's update."""
    update = update_of(environment)
    if update == "rejection":
        return best(units, environment["keepBest"])
    return weights(units, 0 if update == "grpo" else curriculum["lambda"])


def compared(texts, norm):
    """GRPO over texts, docs/curricula.md: [(family, tokens, spans, R)] to advantages by text and span, groups, groups alike."""
    found, groups, alike = [[0.0 for _ in spans] for _, _, spans, _ in texts], 0, 0
    after = {}
    for at, (family, tokens, spans, earned) in enumerate(texts):
        for place, (start, end) in enumerate(spans):
            own = (at,) if place == len(spans) - 1 else (family, tuple(tokens[:end]))
            after.setdefault(tuple(tokens[:start]), {}).setdefault(own, []).append((at, place, earned))
    for members in after.values():
        if len(members) < 2:
            continue
        groups += 1
        worth_ = [mean(earned for *_, earned in some) for some in members.values()]
        if max(worth_) - min(worth_) <= 1e-12:
            alike += 1
            continue
        middle = mean(worth_)
        deviation = math.sqrt(math.fsum((one - middle) ** 2 for one in worth_) / (len(worth_) - 1)) + 1e-6
        for one, some in zip(worth_, members.values()):
            for at, place, _ in some:
                found[at][place] = (one - middle) / (deviation if norm == "group-std" else 1)
    return found, groups, alike


def sample_size(shares):
    shares = list(shares)
    squares = math.fsum(w * w for w in shares)
    return math.fsum(shares) ** 2 / squares if squares else 0


def pass_at_k(attempts, successes, k):
    return 1 - math.comb(attempts - successes, k) / math.comb(attempts, k)

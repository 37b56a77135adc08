"""Draws of given tasks, from docs/curricula.md: named random streams, and the samplers that choose by what was measured."""

import math

WORD = 0xFFFFFFFF


class Rng:
    """sfc32, seeded with FNV-1a over the stream's name."""

    def __init__(self, *keys):
        words = [0x811C9DC5, 0x9E3779B9, 0x85EBCA6B, 0xC2B2AE35]
        text = "\0".join(("string:" if isinstance(key, str) else "number:") + str(key) for key in keys)
        units = text.encode("utf-16-le")
        for at in range(0, len(units), 2):
            code = units[at] | units[at + 1] << 8
            words[0] = ((words[0] ^ code) * 0x01000193) & WORD
            words[1] = ((words[1] ^ code ^ words[0] >> 13) * 0x85EBCA6B) & WORD
            words[2] = ((words[2] ^ code ^ words[1] >> 15) * 0xC2B2AE35) & WORD
            words[3] = ((words[3] ^ code ^ words[2] >> 16) * 0x27D4EB2F) & WORD
        self.state = words
        for _ in range(15):
            self.word()

    def word(self):
        a, b, c, counter = self.state
        total = (a + b + counter) & WORD
        rotated = (c << 21 | c >> 11) & WORD
        self.state = [b ^ b >> 9, (c + (c << 3)) & WORD, (rotated + total) & WORD, (counter + 1) & WORD]
        return total

    def next(self):
        return self.word() / 2**32

    def int(self, n):
        return math.floor(self.next() * n)

    def shuffle(self, items):
        keyed = [(self.next(), at) for at in range(len(items))]
        return [items[at] for _, at in sorted(keyed)]


def any_of(n, count, rng):
    if count <= 0:
        return []
    keys = [rng.next() for _ in range(n)]
    return sorted(sorted(range(n), key=lambda at: (keys[at], at))[:count])


def least(keys, count, rng):
    if count <= 0:
        return []
    last = sorted(keys)[min(count, len(keys)) - 1]
    below = [at for at, key in enumerate(keys) if key < last]
    tied = [at for at, key in enumerate(keys) if key == last]
    return below + [tied[i] for i in any_of(len(tied), count - len(below), rng)]


def weighted(logs, count, rng):
    keys = []
    for log in logs:
        u = rng.next()
        race = math.log(-math.log(1 - u)) if u else -math.inf
        keys.append(math.inf if log == -math.inf else race - log)
    return least(keys, min(count, sum(log > -math.inf for log in logs)), rng)


def rank_weights(scores, beta, rng):
    following = {}
    for rank, score in enumerate(sorted(scores, reverse=True), 1):
        following.setdefault(score, rank)
    places = list(range(len(scores)))
    for i in range(len(scores) - 1, 0, -1):
        j = rng.int(i + 1)
        places[i], places[j] = places[j], places[i]
    logs = [0.0] * len(scores)
    for at in places:
        logs[at] = -math.log(following[scores[at]]) / beta
        following[scores[at]] += 1
    return logs


def drawn(seen, count, sampler, curriculum, epoch, rng):
    """[(place, by, value)]; `seen` holds None, or {p, spread, epoch, draws}, for each candidate."""
    some = passing(seen, count, rng) if sampler["kind"] == "easiest-first" else repeating(seen, count, sampler, curriculum, epoch, rng)
    return rng.shuffle(some)


def passing(seen, count, rng):
    keys = [2 if one is None else 3 * one["draws"] + (2 if one["p"] is None else 1 - one["p"]) for one in seen]
    return [(at, "pass", seen[at] and seen[at]["p"]) for at in least(keys, count, rng)]


def score(kind, one):
    return None if one is None else one["spread" if kind == "plr" else "p"]


def repeating(seen, count, sampler, curriculum, epoch, rng):
    known = [at for at, one in enumerate(seen) if score(sampler["kind"], one) is not None]
    fresh = [at for at, one in enumerate(seen) if score(sampler["kind"], one) is None]
    scores = [score(sampler["kind"], seen[at]) for at in known]
    wanted = tossed(count, len(known) / max(1, len(seen)), rng)
    repeated = min(len(known), max(wanted, count - len(fresh)))
    by_age = tossed(repeated, sampler["staleness"], rng)
    if sampler["kind"] == "plr":
        best = weighted(rank_weights(scores, sampler["temperature"], rng), repeated - by_age, rng)
    else:
        away = [abs(p - curriculum["alpha"]) for p in scores]
        inside = curriculum["kMin"] + 1e-9
        best = least([0.0 if d <= inside else math.floor(d * 1e9 + 0.5) / 1e9 for d in away], repeated - by_age, rng)
    taken = set(best)
    ages = [0 if i in taken else max(0, epoch - 1 - seen[at]["epoch"]) for i, at in enumerate(known)]
    logs = [math.log(age) if age else -math.inf for age in ages] if any(ages) else [0.0] * len(ages)
    aged = weighted([-math.inf if i in taken else log for i, log in enumerate(logs)], by_age, rng)
    taken |= set(aged)
    left = [i for i in range(len(known)) if i not in taken]
    filled = [left[i] for i in any_of(len(left), by_age - len(aged), rng)]
    return (
        [(known[i], "score", scores[i]) for i in best]
        + [(known[i], "age", ages[i]) for i in aged + filled]
        + [(fresh[i], "new", None) for i in any_of(len(fresh), count - repeated, rng)]
    )


def tossed(count, chance, rng):
    return sum(rng.next() < chance for _ in range(count))


def spread(rewards):
    """Mean distance from the mean, to 1e-9."""
    if not rewards:
        return None
    middle = math.fsum(rewards) / len(rewards)
    return math.floor(math.fsum(abs(one - middle) for one in rewards) / len(rewards) * 1e9 + 0.5) / 1e9


def together(some):
    """A family as one candidate: its tasks of the newest epoch in which any was attempted."""
    known = [one for one in some if one is not None]
    newest = [one for one in known if one["epoch"] == max(other["epoch"] for other in known)]
    if not newest:
        return None
    middle = {}
    for what in ("p", "spread"):
        values = [one[what] for one in newest if one[what] is not None]
        middle[what] = math.floor(sum(values) / len(values) * 1e9 + 0.5) / 1e9 if values else None
    return {**middle, "epoch": newest[0]["epoch"], "draws": max(one["draws"] for one in known)}

"""Walks a journal and says what each event should hold, by the records and the settings of its moment."""

import math

import control
import domains
import draws
import formulas as f
import late
import lineage
import records as r
import spare


# Settings by which attempts and validations are measured, which a branch may change.
MEASURED_BY = {"attempts": ("reward.file", "rollouts.maxTokens", "rollouts.maxSequence", "rollouts.maxTurns")}
MEASURED_BY["validation"] = (*MEASURED_BY["attempts"], "validation.temperature", "validation.rollouts", "validation.tasks")
# Fields of files that a branch may read anew, and those settings: its first events say them.
READ_ANEW = ("curriculum.reward.file", "generation.offlineFile", "generation.testSets", *MEASURED_BY["validation"])


def without_signals(scored):
    """Scores of another kind of reward: the counts hold, its signals mean nothing."""
    tasks = lambda family: [{name: value for name, value in task.items() if name != "signal"} for task in family["tasks"]]
    return {**scored, "families": [{**family, "tasks": tasks(family)} for family in scored["families"]]}


class Replay:
    def __init__(self, run):
        self.run = run
        # The run of a branch's lineage that made the event, and its settings by then.
        self.own = lineage.made(run.lineage, 0)
        self.now = self.own.experiment
        self.domains = domains.named(self.now)
        # Those fields, with their values in the epochs that a branch shares.
        self.read_before = {}
        self.problems = []
        self.compared = 0
        self.event = {}
        self.at = 0
        self.versions = {}
        self.scored = {}
        # Rates by epoch, with the epoch since which validations were measured so.
        self.validations = {}
        # The epoch of the last change of how they are measured, 0 before any.
        self.measured_since = dict.fromkeys(MEASURED_BY, 0)
        # α of the newest epoch, and how its controller chose it.
        self.chosen = None
        # The kind of the environment's reward in the newest epoch: signals of the scored ones are its.
        self.reward_kind = None
        self.seed_rates = {}
        self.seen = {}
        # Tokens of answers by epoch and base task.
        self.known = {}
        # Late groups by the epoch that attempted them.
        self.late_in = {}
        # G by epoch.
        self.group_in = {}
        self.places = {}
        self.pool = {}
        # The versions and the settings at the start of each epoch.
        self.starts = {}
        self.settings_at = {}
        self.pools = {"tasks": 0, "traces": 0, "environment": 0}
        self.spent = {"tokens": 0, "rollouts": 0, "seconds": 0}
        self.summaries = []
        self.before = 0
        # Whether any text has become a task, and the newest epochs in a row in which none did.
        self.usable, self.unusable = False, []
        self.epoch = {}

    def walk(self):
        for self.at, self.event in enumerate(self.run.events):
            self.check("v", 1)
            self.check("seq", self.at)
            self.enter(lineage.made(self.run.lineage, self.epoch_of(self.event)))
            handler = getattr(self, "on_" + self.event["type"].replace(".", "_"), None)
            if handler is not None:
                handler(self.event)
        return self.problems

    def epoch_of(self, event):
        """The epoch whose settings an event has. What a branch does late, after epochs that it shares, is its own."""
        done = len(self.summaries)
        if event["type"] == "run.started":
            return 0
        return event.get("epoch") or (done + 1 if done or "epoch" not in event else 0)

    def enter(self, own):
        """A branch takes over, with settings in which its parent's changes are."""
        if own is self.own:
            return
        self.read_before = {field: value_at(self.now, field) for field in READ_ANEW}
        self.own, self.now = own, own.experiment
        # It tries again to have tasks written.
        self.unusable = []
        self.domains = domains.named(self.now)

    # Comparing

    def check(self, field, expected, tolerance=1e-9):
        self.compare(field, expected, value_at(self.event, field), tolerance)

    def check_billed(self, sampled, sent):
        """Told where tokens have prices; older journals tell no prompts."""
        for field, expected in (("sampled", sampled), ("sent", sent)):
            if field in self.event:
                self.check(field, expected)

    def compare(self, field, expected, found, tolerance=1e-9):
        self.compared += 1
        if not alike(expected, found, tolerance):
            self.problems.append((self.at, self.event, field, expected, found))

    def hold(self, field, what, true):
        """A relation that has to hold where no number is determined."""
        self.compared += 1
        if not true:
            self.problems.append((self.at, self.event, field, what, value_at(self.event, field)))

    def check_rate(self, field, successes, attempts, effective):
        """p̂ with its interval. A journal without n_eff is of an older release: its intervals took attempts for independent."""
        rate = value_at(self.event, field)
        if rate is None:
            return self.problems.append((self.at, self.event, field, "a rate", None))
        self.check(field + ".successes", successes)
        self.check(field + ".attempts", attempts)
        self.check(field + ".p", successes / attempts if attempts else None)
        if "effective" in rate:
            # Student's quantile may be an expansion in the journal, and is exact here.
            self.check(field + ".effective", effective, 5e-3)
        low, high = f.wilson(successes, attempts, rate.get("effective", attempts))
        self.check(field + ".low", low)
        self.check(field + ".high", high)

    def check_domains(self, of):
        """Figures of each domain: numbers, and rates as [k, n, n_eff]. One domain has none."""
        told = self.event.get("domains")
        if not self.domains:
            return self.check("domains", None)
        self.compare("domains", [name for name, _ in self.domains], [one["domain"] for one in told or []])
        for i, (name, _) in enumerate(self.domains if told else []):
            for field, value in of(name).items():
                place = f"domains.{i}.{field}"
                self.check_rate(place, *value) if isinstance(value, list) else self.check(place, value)

    # Beginning and end

    def on_run_started(self, event):
        self.check("mode", self.now["mode"])
        self.check("seed", self.now["seed"])
        self.check("epochs", self.now["epochs"])
        self.hold("validation", f"at most {self.now['validation']['tasks']}", event["validation"] <= self.now["validation"]["tasks"])
        self.versions = {role: event[role] for role in ("agent", "environment")}
        self.base = event["base"]
        self.bases = {one["domain"]: one["base"] for one in event.get("domains", [])}
        shares = dict(self.domains)
        self.check_domains(lambda name: {"share": shares[name]})
        for field in ("base", "validation") if self.domains else ():
            self.check(field, sum(one[field] for one in event["domains"]))

    def on_settings_changed(self, event):
        for change in event["changes"]:
            field = change["field"]
            before = self.read_before.pop(field) if field in self.read_before else value_at(self.now, field)
            self.compare(field + " before", before, change["from"])
            if field.startswith("generation."):
                self.unusable = []
            for what, fields in MEASURED_BY.items():
                if field in fields:
                    self.measured_since[what] = event["epoch"]
            if field in MEASURED_BY["attempts"]:
                self.scored, self.seed_rates = {}, {}
                self.seen = {id_: {**one, "p": None, "spread": None} for id_, one in self.seen.items()}
            under_way = self.epoch.get("started", {}).get("epoch")
            if field == "curriculum.reward.file" and event["epoch"] != under_way:
                self.scored = {}
        self.now = r.changed(self.now, event)

    def on_run_finished(self, event):
        if self.is_mute():
            return self.check("reason", "no-tasks")
        budget, spent, reason = self.now["budget"], self.spent, event["reason"]
        past = [f"budget-{kind}" for kind in ("tokens", "rollouts") if is_spent(budget[kind], spent[kind])]
        if past:
            return self.check("reason", past[0])
        if reason in ("budget-cost", "budget-hours"):
            # Money and hours hold within an epoch, by prices and a clock that the journal does not repeat.
            return self.hold("reason", f"a budget of {reason[7:]}", budget.get(reason[7:]) is not None)
        seconds = budget["seconds"]
        if reason == "budget-seconds":
            return self.hold("reason", f"{spent['seconds'] + self.before} s of {seconds} s spent", is_spent(seconds, spent["seconds"] + self.before))
        self.hold("reason", "budget-seconds", not is_spent(seconds, spent["seconds"]))
        if reason != "early-stop":
            self.check("reason", "epochs" if len(self.summaries) == self.now["epochs"] else "none, as epochs are left")
        else:
            self.hold("reason", "an experiment that stops early", self.now["earlyStop"] is not None)

    def is_mute(self):
        """No text of the newest epochs became a task: of the first one that has any, or of three after some were usable."""
        return len(self.unusable) >= (3 if self.usable else 1)

    def alpha(self, epoch):
        """Of an epoch: a point of the course holds from its epoch on, or lines join the points and α at epoch 1."""
        curriculum = self.now["curriculum"]
        points = curriculum.get("alphaPoints")
        if points is None:
            return curriculum["alpha"]
        course = {1: self.own.experiment["curriculum"]["alpha"], **{point["epoch"]: point["alpha"] for point in points}}
        past = max(at for at in course if at <= epoch)
        later = [at for at in course if at > epoch]
        if curriculum["alphaBetween"] == "steps" or not later:
            return course[past]
        part = (epoch - past) / (min(later) - past)
        return (1 - part) * course[past] + part * course[min(later)]

    def on_epoch_started(self, event):
        self.check("epoch", len(self.summaries) + 1)
        kind = event["settings"].get("reward", {}).get("kind", "kernel")
        if self.reward_kind not in (None, kind):
            self.scored = {epoch: without_signals(scored) for epoch, scored in self.scored.items()}
        self.reward_kind = kind
        alpha = self.alpha(event["epoch"])
        if self.now["curriculum"].get("control", {"kind": "off"})["kind"] != "off":
            alpha, told = self.chosen = control.chosen(self.own.experiment["curriculum"], self.chosen, event["epoch"], self)
            self.check("control", told)
        else:
            self.chosen = None
            self.check("control", None)
        self.now = {**self.now, "curriculum": {**self.now["curriculum"], "alpha": alpha}}
        curriculum = self.now["curriculum"]
        told = {name: curriculum.get("reward", {}).get(name) for name in ("kind", "repetition")}
        reward = {} if f.kind_of(curriculum) == "kernel" else {"reward": told}
        update = f.update_of(self.now["environment"])
        learned = {} if update == "rwr" else {"update": update}
        if update in ("grpo", "rejection"):
            learned["lambda"] = 0
        if update == "rejection":
            learned["keepBest"] = self.now["environment"]["keepBest"]
        self.check("settings", {**{name: curriculum[name] for name in ("alpha", "beta", "lambda", "kMin")}, **reward, **learned})
        self.check_versions("versions", self.versions)
        # A server has a restored version under another handle, which its endpoint goes on with.
        self.versions = dict(event["versions"])
        self.starts[event["epoch"]] = dict(self.versions)
        self.settings_at[event["epoch"]] = self.now
        self.check_versions("sampled", self.starts[self.sampled_from(event["epoch"])] if self.staleness() else None)
        self.epoch = {"rounds": [], "agent": [], "groups": [], "all": {}, "started": event}

    def check_versions(self, field, expected):
        """By their names alone."""
        told = self.event.get(field)
        self.compare(field, *(of and {role: version["name"] for role, version in of.items()} for of in (expected, told)))

    def staleness(self):
        return self.now["rollouts"].get("staleness", 0)

    def sampled_from(self, epoch):
        """The epoch at whose start this one is sampled. A branch samples nothing before the epochs are over that it shares."""
        return max(self.own.shared + 1, epoch - self.staleness())

    @property
    def sampling(self):
        """The settings that the epoch is written and attempted by: a change of them reaches no epoch that is sampled already."""
        started = self.epoch.get("started")
        return self.settings_at[self.sampled_from(started["epoch"])] if started and self.staleness() else self.now

    def attempted_by(self):
        epoch = self.epoch["started"]["epoch"]
        versions = self.starts[self.sampled_from(epoch)] if self.staleness() else self.versions
        return versions["agent"]["name"]

    # (1) Tasks, attempts, scores

    def on_tasks_generated(self, event):
        generation = self.sampling["generation"]
        tasks = self.run.written(event["epoch"])
        accepted = [task for task in tasks if task["status"] == "accepted"]
        causes = [task["cause"] for task in tasks if "cause" in task]
        self.check("families", self.families_asked())
        self.check("written", len(tasks))
        self.check("accepted", len(accepted))
        self.check("rejected", {cause: causes.count(cause) for cause in causes})
        plans = self.run.plans(event["epoch"])
        counts = [r.plan_count(plan) for plan in plans]
        alone = r.plans_alone(plans, tasks)
        # Where a server only counts tokens, texts leave out their plans.
        beside = [plan for plan in plans if "counted" in plan or plan in alone]
        self.check("tokens", sum(map(r.text_tokens, tasks)) + sum(sum(r.plan_count(plan)) for plan in beside))
        wasted = {"plans": len(alone), "tokens": sum(sum(r.plan_count(plan)) for plan in alone)}
        self.check("plansAlone", wasted if alone else None)
        self.check_billed(
            sum(map(r.sampled_for_text, tasks)) + sum(answer for _, answer in counts),
            sum(map(r.sent_for_text, tasks)) + sum(prompt for prompt, _ in counts),
        )
        if "sampled" in event:
            by_agent = [r.answers_for_text(t, "agent") for t in tasks if t.get("agreement", {}).get("by") == "agent"]
            sampled, sent = (sum(column) for column in zip(*by_agent)) if by_agent else (0, 0)
            self.check("byAgent", {"sampled": sampled, "sent": sent} if by_agent else None)
        self.check("taskLength", f.mean(r.written_tokens(t["generation"]) for t in accepted if "generation" in t))
        asked = {}
        for task in tasks:
            asked.setdefault(task.get("domain"), set()).add(task["family"])
        self.check_domains(
            lambda name: domains.written([t for t in tasks if t["domain"] == name], self.families_of(name, asked.get(name, ())))
        )
        for task in tasks:
            if "generation" in task:
                self.compare(f"logprobs of {task['id']}", r.said(task["generation"]), len(task["generation"]["logprobs"]))
            self.hold(f"family of {task['id']}", task["family"], task["id"].startswith(task["family"] + ".v"))
        self.hold("accepted", "one text a variation at most", len({variation(t) for t in accepted}) == len(accepted))
        self.hold("written", f"{generation['attempts']} tries", all(tries(t) <= generation["attempts"] for t in tasks))
        self.epoch["generated"] = event
        if accepted:
            self.usable, self.unusable = True, []
        elif "cut" not in event:
            # A budget that left nothing to write with says nothing about the environment.
            self.unusable.append(event["epoch"])

    def families_of(self, name, written):
        """Whole parts of a share and at most one more; a family whose every text is missing is in no record."""
        told = next((one["families"] for one in self.event["domains"] if one["domain"] == name), 0)
        quota = self.families_asked() * dict(self.domains)[name]
        least = len(written) if self.now["mode"] == "release" else max(len(written), math.floor(quota + 1e-9))
        most = self.families_asked() if self.now["mode"] == "release" else math.ceil(quota - 1e-9)
        self.hold("domains", f"{least} to {most} families of {name}", least <= told <= most)
        return told

    def families_asked(self):
        generation = self.sampling["generation"]
        if self.now["mode"] == "static":
            return generation["staticFamilies"] if self.base else 0
        if self.now["mode"] != "release":
            asked = math.ceil(generation["families"] * (1 + self.sampling["rollouts"].get("spare", 0)) - 1e-9)
            return asked if self.base else 0
        # Ranks are within a domain.
        ranked = {}
        for traces in r.by_task(self.run.traces("rank", self.event["epoch"])).values():
            if any(map(r.is_judged, traces)):
                ranked[traces[0].get("domain")] = ranked.get(traces[0].get("domain"), 0) + 1
        return sum(own - 2 * math.floor(own * generation["rankCut"]) for own in ranked.values())

    def ranked(self):
        """Seeds that mode `release` attempts and ranks."""
        generation = self.sampling["generation"]
        wanted = generation["families"] * generation["variations"]
        return min(math.ceil(wanted / (1 - 2 * generation["rankCut"])), self.base)

    def open_batch(self, epoch):
        """The epoch's attempts cut into its rounds. Tasks stand in the order of their first record."""
        every = r.by_task(self.run.traces("train", epoch))
        rounds = [e for e in self.run.events if e["type"] == "rollouts.finished" and e["epoch"] == epoch]
        out = {one["task"] for e in rounds for one in e.get("dropped", {}).get("groups", [])}
        groups = {id_: traces for id_, traces in every.items() if id_ not in out}
        self.epoch["every"] = every
        mode = self.now["mode"]
        tasks = {id_: self.run.task(id_, epoch) for id_ in groups}
        scored = next((e for e in self.run.events[self.at :] if e["type"] == "families.scored" and e["epoch"] == epoch), None)
        if mode in ("static", "offline"):
            own = [id_ for id_, t in tasks.items() if t is not None and t.get("origin") in ("generated", "offline")]
        else:
            own = [t["id"] for t in self.run.tasks(epoch, epoch) if t["status"] == "accepted" and t["id"] in groups]
            missing = [t["id"] for t in self.run.tasks(epoch, epoch) if t["status"] == "accepted" and t["id"] not in groups and t["id"] not in out]
            self.compare("tasks that were accepted and not attempted", [], missing)
        mixed = [id_ for id_ in groups if id_ not in set(own)]
        if self.is_spare():
            spare.check_mixing(self, own, mixed)
        else:
            self.check_mixing(epoch, own, mixed, tasks)
        if self.sampler() is not None:
            self.check_drawn(own, mixed, tasks)
        if rounds:
            late.check(self, rounds[0], every, own, mixed)
            self.late_in[epoch] = late.left_over(self, rounds[0], every, own, mixed)
        own, mixed, groups, tasks = self.counted(epoch, own, mixed, groups, tasks)
        families = r_families(own, groups)
        if scored is not None:
            # Static and offline batches are drawn: their order is the scores'.
            order = {family["id"]: i for i, family in enumerate(scored["families"])}
            families.sort(key=lambda family: order.get(family[0], len(order)))
        size = self.now["rollouts"].get("batch")
        count = max(1, math.ceil(len(groups) / size)) if size else 1
        rounds = spare.rounds(self, families, mixed, rounds, scored) if self.is_spare() and size else []
        # Late groups of the epoch before count in the first round.
        before = [id_ for id_ in groups if all(at < epoch for at, _ in self.epoch["parts"][id_])] if size else []
        if before:
            count = max(1, math.ceil((len(groups) - len(before)) / size))
        own_families = [(id_, [task for task in ids if task not in before]) for id_, ids in families]
        own_families = [(id_, ids) for id_, ids in own_families if ids]
        for part in range(0 if rounds else count):
            calibrated = [id_ for _, ids in f.share(own_families, part, count) for id_ in ids]
            some = f.share([id_ for id_ in mixed if id_ not in before], part, count)
            if part == 0:
                calibrated = [id_ for _, ids in families for id_ in ids if id_ in before] + calibrated
                some = [id_ for id_ in mixed if id_ in before] + some
            if calibrated or some or count == 1:
                rounds.append({"calibrated": calibrated, "mixed": some})
        self.epoch.update(batch=rounds, groups=groups, all=tasks, calibrated=families, mixed=mixed)

    def is_spare(self):
        """Whether more groups begin than a batch needs, also where none of them falls out."""
        return self.sampling["rollouts"].get("spare", 0) > 0 and self.now["mode"] != "release"

    def counted(self, epoch, own, mixed, groups, tasks):
        """Without late groups of the epoch, with those of the epoch before; `parts` has both groups of a task apart."""
        before, now = self.late_in.get(epoch - 1, late.Late()), self.late_in.get(epoch, late.Late())
        own, mixed = [id_ for id_ in own if id_ not in now.groups], [id_ for id_ in mixed if id_ not in now.groups]
        parts = {}
        for id_ in before.calibrated + before.mixed:
            parts.setdefault(id_, []).append((epoch - 1, before.groups[id_]))
        for id_ in own + mixed:
            parts.setdefault(id_, []).append((epoch, groups[id_]))
        own = before.calibrated + [id_ for id_ in own if id_ not in before.groups]
        mixed = before.mixed + [id_ for id_ in mixed if id_ not in before.groups]
        self.epoch["parts"] = parts
        groups = {id_: [trace for _, some in parts[id_] for trace in some] for id_ in own + mixed}
        return own, mixed, groups, {**tasks, **{id_: self.run.task(id_, epoch) for id_ in before.groups}}

    def check_mixing(self, epoch, own, mixed, tasks):
        """Base and pool tasks by their shares; what the environment did not write is filled up with base tasks."""
        generation, rollouts = self.sampling["generation"], self.sampling["rollouts"]
        if self.now["mode"] == "release":
            return self.compare("originals beside the newest", min(max(len(own), 1), self.base), len(mixed))
        wanted = generation["families"] * generation["variations"]
        total = f.rounded(wanted / (1 - rollouts["baseShare"] - rollouts["poolShare"]))
        pool = [id_ for id_ in mixed if tasks[id_] is not None and tasks[id_].get("origin") == "generated"]
        since = self.sampled_from(epoch)
        joined = {id_: edit["written"] for id_, edit in self.run.admitted(epoch).items()}
        pools = [
            {*ids, *(id_ for id_, written in joined.items() if written == added)} for added, ids in self.pool.items() if added < since
        ]
        if self.sampler() is not None:
            # Of the tasks that a sampler measured: a branch may have one whose shared epochs had none.
            pools = [{id_ for ids in pools for id_ in ids if "written" in self.seen.get(id_, {}) or id_ in joined}]
        most = min(f.rounded(total * rollouts["poolShare"]), sum(map(len, pools)))
        if self.now["mode"] in ("static", "offline"):
            most = 0
        known = {id_ for ids in pools for id_ in ids}
        self.compare("pool tasks that are in no pool", [], [id_ for id_ in pool if id_ not in known])
        # Drawn with replacement from a pool that may be small: fewer is possible, more is not.
        if len(pool) > most or (most and not pool):
            self.compare("pool tasks", most, len(pool))
        base = min(max(0, total - len(own) - len(pool)), self.base)
        if not any(edit for edit in self.run._edits):
            self.compare("base tasks", base, len(mixed) - len(pool))

    def sampler(self):
        """None where chance alone draws given tasks."""
        sampler = self.sampling["rollouts"].get("sampler", {"kind": "uniform"})
        return None if sampler["kind"] == "uniform" or self.now["mode"] == "release" else sampler

    def on_tasks_drawn(self, event):
        sampler = self.sampler()
        if sampler is None:
            return self.compare("draws", "none by chance alone", event["draws"])
        reads = {"plr": ("temperature", "staleness"), "band": ("staleness",)}.get(sampler["kind"], ())
        self.check("sampler", {"kind": sampler["kind"], **{name: sampler[name] for name in reads}})
        for i, told in enumerate(event["draws"]):
            self.check_draw(f"draws.{i}", told, sampler)
        self.epoch["drawn"] = event

    def check_draw(self, place, told, sampler):
        """The very draw, over candidates in the order that the journal gives them."""
        source, domain, epoch = told["from"], told.get("domain"), self.event["epoch"]
        if source in ("base", "offline") and any(edit["action"] in ("exclude", "restore") for since, edit in self.run._edits if since <= epoch):
            return
        if source == "static":
            tasks = [t for t in self.run.tasks(1, epoch) if t["status"] == "accepted" and t.get("domain") == domain]
            families = {}
            for task in tasks:
                families.setdefault(task["family"], []).append(self.seen.get(task["id"]))
            ids, seen = list(families), [draws.together(own) for own in families.values()]
        elif source in ("pool", "edit"):
            out = {id_ for id_ in self.seen if self.run.is_excluded(id_, epoch)}
            ids = [id_ for id_, one in self.seen.items() if "written" in one and id_ not in out and one.get("domain") == domain]
            ids += [
                id_ for id_, edit in self.run.admitted(epoch).items()
                if id_ not in ids and not self.run.is_excluded(id_, epoch) and edit.get("domain") == domain
            ]
            seen = [self.seen.get(id_) for id_ in ids]
        else:
            # A given task is known by its place once it was drawn; before that nothing is known of it.
            known = self.places.setdefault((source, domain), {})
            for one in told["tasks"]:
                self.hold(place, f"{known.get(one['at'])} at {one['at']}", known.setdefault(one["at"], one["id"]) == one["id"])
            if source == "base":
                self.check(place + ".of", self.base if domain is None else self.bases[domain])
            ids = [known.get(at) for at in range(told["of"])]
            seen = [self.seen.get(id_) for id_ in ids]
        self.check(place + ".of", len(ids))
        if source == "edit" and domain is None:
            generation = self.sampling["generation"]
            wanted = f.rounded(math.ceil(self.families_asked() / generation["perSeed"]) * generation["editShare"])
            self.compare(place + ".tasks", min(wanted, len(ids)), len(told["tasks"]))
        self.check(place + ".known", sum(draws.score(sampler["kind"], one) is not None for one in seen))
        rng = draws.Rng(self.now["seed"], source, epoch, *([] if domain is None else [domain]))
        drawn = draws.drawn(seen, len(told["tasks"]), sampler, self.now["curriculum"], epoch, rng)
        self.check(place + ".tasks", [{"id": ids[at], "at": at, "by": by, "value": value} for at, by, value in drawn])

    def check_drawn(self, own, mixed, tasks):
        """What was drawn is what is attempted."""
        told = {"base": [], "pool": [], "static": [], "offline": [], "edit": []}
        for draw in self.epoch.get("drawn", {}).get("draws", []):
            told[draw["from"]] += [one["id"] for one in draw["tasks"]]
        seeds = {task["seed"] for task in self.run.written(self.event["epoch"])}
        self.compare("edited tasks", sorted(set(told["edit"]) & seeds), sorted(one for one in seeds if "written" in self.seen.get(one, {})))
        self.compare("given tasks of the batch", sorted(told["base"] + told["pool"]), sorted(mixed))
        if self.now["mode"] == "offline":
            self.compare("offline tasks of the batch", sorted(told["offline"]), sorted(own))
        if self.now["mode"] == "static":
            self.compare("families of the batch", sorted(told["static"]), sorted({tasks[id_]["family"] for id_ in own}))

    def check_measures(self, event):
        """What later draws go by, of each task of the batch; the order is the journal's."""
        if self.sampler() is None:
            return self.check("measures", None)
        found = {}
        for id_, traces in self.epoch["groups"].items():
            k, n = r.counts(traces)
            one = {"id": id_, "successes": k, "attempts": n}
            one["spread"] = draws.spread([t["verdict"]["reward"] for t in traces if r.is_judged(t)])
            task = self.epoch["all"][id_]
            is_new = task is not None and task.get("origin") == "generated" and task["epoch"] == event["epoch"]
            if is_new and any(t["verdict"]["valid"] and r.is_judged(t) for t in traces):
                one["pooled"] = True
            if self.domains:
                one["domain"] = traces[0]["domain"]
            found[id_] = one
        told = [one["id"] for one in event.get("measures", [])]
        self.check("measures", [found.get(id_) for id_ in told] + [one for id_, one in found.items() if id_ not in told])

    def remember(self):
        """Tasks as later epochs draw them: an epoch's own attempts count when it is over."""
        event = self.epoch.get("scored") or {}
        for one in event.get("measures", []):
            old = self.seen.get(one["id"], {})
            after = {"p": one["successes"] / one["attempts"] if one["attempts"] else old.get("p")}
            after["spread"] = old.get("spread") if one["spread"] is None else one["spread"]
            after.update(epoch=event["epoch"], draws=old.get("draws", 0) + 1)
            if "written" in old or "pooled" in one:
                after["written"] = event["epoch"] if "pooled" in one else old["written"]
            if "domain" in one:
                after["domain"] = one["domain"]
            self.seen[one["id"]] = after

    def on_rollouts_finished(self, event):
        epoch = event["epoch"]
        if not self.epoch["rounds"]:
            self.open_batch(epoch)
        number = len(self.epoch["rounds"])
        rounds = self.epoch["batch"]
        self.check("round", number + 1 if len(rounds) > 1 else None)
        if number >= len(rounds):
            return self.compare("rounds", len(rounds), number + 1)
        own = rounds[number]
        ids = own["calibrated"] + own["mixed"]
        traces = [t for id_ in ids for t in self.epoch["groups"][id_]]
        rank = self.run.traces("rank", epoch) if number == 0 else []
        ranking = {"rollouts": len(rank), "tokens": sum(map(r.all_tokens, rank))}
        most = self.ranked() * self.sampling["generation"]["rankRollouts"] if self.now["mode"] == "release" else 0
        self.hold("ranking.rollouts", f"at most {most}", len(rank) <= most)
        self.check("ranking", ranking if self.now["mode"] == "release" and number == 0 else None)
        parts = [(since, some) for id_ in ids for since, some in self.epoch["parts"][id_]]
        self.check("tasks", len(parts))
        self.check("rollouts", len(traces) + ranking["rollouts"])
        if event["tokens"] is None:
            self.hold("tokens", "a number, as all are counted", not all(map(r.is_counted, traces)))
        else:
            # Older versions counted as 0 what is not known.
            self.check("tokens", sum(map(r.all_tokens, traces)) + ranking["tokens"])
        # Before prompts were counted as sent, answers of the ranking were left out.
        paid = traces + rank if "sent" in event else traces
        self.check_billed(sum(map(r.answer_tokens, paid)), sum(map(r.sent_for_trace, paid)))
        self.check("truncated", sum(t["stopReason"] == "length" for t in traces))
        self.check("invalid", sum(not t["verdict"]["valid"] for t in traces))
        self.check("checkerErrors", sum(not r.is_judged(t) for t in traces))
        told = [r.answer_tokens(t) for t in traces if t["sequences"]]
        self.check("answerLength", f.mean(told))
        self.epoch.setdefault("answers", []).extend(told)
        self.epoch.setdefault("cutOff", {}).update(self.cut_off(event, own["calibrated"]))
        out = spare.check_dropped(self, event, ids)
        known = self.sampling["rollouts"].get("order") == "longest" or self.sampling["rollouts"].get("spare", 0) > 0
        self.check("lengths", self.lengths(ids + out) if known else None)
        self.known.setdefault(epoch, {}).update({one["seed"]: one["tokens"] for one in event.get("lengths", [])})
        before = self.late_in.get(epoch - 1, late.Late())
        # A branch completes late groups of the epochs that it shares with the version at their end.
        last = {self.starts[epoch]["agent"]["name"]} if epoch == self.own.shared + 1 else set()
        for since, by in ((epoch, {self.attempted_by()}), (epoch - 1, before.by | last)):
            versions = {t["version"] for at, some in parts if at == since for t in some}
            self.compare("versions of the attempts", [], sorted(versions - by))
        # Late groups of an epoch that a branch shares are as large as its parent made them.
        most = {**self.group_in, epoch: self.sampling["rollouts"]["group"]}
        some = [some for _, some in parts]
        self.compare("attempts beyond rollouts.group", [], [own[0]["task"] for since, own in parts if len(own) > most.get(since, most[epoch])])
        self.group_in = most
        self.check_domains(lambda name: domains.attempted([own for own in some if own[0]["domain"] == name]))
        self.epoch["rounds"].append((event, ids))

    def cut_off(self, event, calibrated):
        """Attempts that were not made, by family: p̂ of each stays outside the band however they would have ended."""
        told = {one["family"]: one["left"] for one in event.get("cutOff", [])}
        curriculum, group = self.now["curriculum"], self.sampling["rollouts"]["group"]
        families = dict(self.epoch["calibrated"])
        for id_, left in told.items():
            ids = families.get(id_, [])
            k, n = total(r.counts(self.epoch["groups"][task]) for task in ids)
            made = sum(len(self.epoch["groups"][task]) for task in ids)
            self.hold("cutOff", f"{id_}: at most {len(ids) * group - made} not made", left <= len(ids) * group - made)
            ends = [f.deciding(k + more, n + left, curriculum["estimate"]) for more in (0, left)]
            inside = ends[1] >= curriculum["alpha"] - curriculum["kMin"] - 1e-9 and ends[0] <= curriculum["alpha"] + curriculum["kMin"] + 1e-9
            self.hold("cutOff", f"{id_}: outside the band, however {left} end", not inside)
        may = self.sampling["rollouts"].get("cutOff", "off") == "band" and event["epoch"] > curriculum["warmupEpochs"]
        self.hold("cutOff", "none where families are not cut off", may or not told)
        return told

    def lengths(self, ids):
        """Mean tokens of answers by base task, in order of their names."""
        roots = {}
        for id_ in ids:
            roots.setdefault(self.root(id_), []).extend(map(r.answer_tokens, self.epoch["groups"].get(id_) or self.epoch["every"].get(id_, [])))
        return [{"seed": root, "tokens": f.rounded(f.mean(own))} for root, own in sorted(roots.items()) if own]

    def root(self, id_):
        """The base task that a task was written from, or the task itself. A base task names a seed of another run."""
        task = self.epoch["all"].get(id_) or self.run.task(id_, self.event["epoch"]) or {}
        return id_ if task.get("origin") == "base" or task.get("seed") is None else task["seed"]

    def on_families_scored(self, event):
        curriculum, groups = self.now["curriculum"], self.epoch["groups"]
        families = {id_: {task: r.counts(groups[task]) for task in ids} for id_, ids in self.epoch["calibrated"]}
        tasks = [(id_, task, k, n) for id_, own in families.items() for task, (k, n) in own.items()]
        pooled = {id_: total(own.values()) for id_, own in families.items()}
        everything = total(pooled.values())
        filter_ = "off" if event["epoch"] <= curriculum["warmupEpochs"] else curriculum["filter"]
        signals = self.signals(event, families, pooled)
        rewards = by_task([(id_, task, k, n, signals.get(task)) for id_, task, k, n in tasks], curriculum)
        units, told = {}, {}
        for id_, task, k, n in tasks:
            counted = {"epoch": everything, "family": pooled[id_], "task": (k, n)}[curriculum["scope"]]
            p = f.deciding(*counted, curriculum["estimate"])
            # Without a judged attempt the rate says nothing.
            on_rate = f.on_rate(p, curriculum) if counted[1] else None
            earned = told[task] = on_rate if rewards is None else rewards[task]
            units[task] = (p, earned or 0, f.keep(p, curriculum, filter_) if n and earned is not None else 0.0)
        shares = dict(zip(units, f.shares_of([unit[1:] for unit in units.values()], curriculum, self.now["environment"])))

        self.check("scope", curriculum["scope"])
        self.compare("families", sorted(families), sorted(family["id"] for family in event["families"]))
        rho = f.correlation([own.values() for own in families.values()], 0.7)
        scores = {}
        for i, family in enumerate(event["families"]):
            own = families.get(family["id"])
            if own is None:
                continue
            place = f"families.{i}"
            # Older versions did not tell it.
            tells = {one["id"] for one in family["tasks"] if "teaches" in one}
            self.check(place + ".tasks", [
                {
                    **{"id": task, "successes": k, "attempts": n, "environmentReward": told[task], "weight": shares[task]},
                    **({"signal": signals[task]} if task in signals else {}),
                    **({} if (teaches := r.teaches(groups[task])) is None or task not in tells else {"teaches": teaches}),
                }
                for task, (k, n) in in_order(own, family["tasks"]).items()
            ])
            judged = [count for count in own.values() if count[1]]
            worth = pooled[family["id"]][1] if len(judged) < 2 else f.worth(judged, rho)
            self.check_rate(place + ".successRate", *pooled[family["id"]], worth)
            self.check(place + ".cutOff", self.epoch.get("cutOff", {}).get(family["id"]))
            mean = [f.mean(units[task][part] for task in own) for part in range(3)]
            mean[1] = f.mean(told[task] for task in own if told[task] is not None)
            weight = math.fsum(shares[task] for task in own)
            for name, value in zip(("estimate", "environmentReward", "kept", "weight"), (*mean, weight)):
                self.check(f"{place}.{name}", value)
            known = [self.epoch["all"][task] for task in own if self.epoch["all"][task] is not None]
            if known:
                first = self.epoch["all"].get(family["tasks"][0]["id"]) or known[0]
                self.check(place + ".seed", first["seed"])
                self.check(place + ".plan", first["plan"])
                self.check(place + ".domain", first.get("domain"))
                self.check(place + ".origin", "offline" if first.get("origin") == "offline" else "generated")
                names = {name for task in known for name in task["complexity"]}
                self.check(place + ".complexity", {name: f.mean(t["complexity"].get(name, 0) for t in known) for name in names})
            p = None if pooled[family["id"]][1] == 0 else pooled[family["id"]][0] / pooled[family["id"]][1]
            scores[family["id"]] = (mean, weight, p is not None and f.in_band(p, curriculum))

        single = all(len(own) < 2 for own in families.values())
        worth = f.worth_of_few(list(pooled.values()), 0.7 if single else 0.35)
        self.check_rate("successRate", *everything, worth)
        mixed = [r.counts(groups[task]) for task in self.epoch["mixed"]]
        self.check_rate("baseSuccessRate", *total(mixed), f.worth_of_few(mixed, 0.7))
        self.check("inBand", f.mean(inside for _, _, inside in scores.values()) or 0)
        self.check("environmentReward", f.mean(mean[1] for mean, _, _ in scores.values() if mean[1] is not None))
        self.check("familiesKept", sum(mean[2] > 0 for mean, _, _ in scores.values()))
        self.check("effectiveSampleSize", f.sample_size(weight for _, weight, _ in scores.values()))
        self.check_domains(lambda name: self.scored_of(name, pooled, scores, mixed))
        self.check_measures(event)
        self.scored[event["epoch"]] = event
        self.epoch["scored"] = event

    def signals(self, event, families, pooled):
        """What the kind of reward measured beside the counts, by task."""
        curriculum, groups = self.now["curriculum"], self.epoch["groups"]
        kind = f.kind_of(curriculum)
        before = dict(self.seed_rates)
        # A branch may go by them whose shared epochs did not.
        for family in event["families"]:
            k, n = pooled.get(family["id"], (0, 0))
            if n and family["seed"] is not None:
                self.seed_rates[family["seed"]] = (k / n, self.attempted_by())
        if kind == "progress":
            changes = {}
            for family in event["families"]:
                rate, (k, n) = before.get(family["seed"]), pooled.get(family["id"], (0, 0))
                if n and rate is not None and rate[1] != self.attempted_by():
                    changes.update({task: abs(k / n - rate[0]) for task in families[family["id"]]})
            return changes
        if kind == "uncertainty" and curriculum["reward"]["repetition"] > 0:
            # Which texts are alike is a domain's matter: the shares are held to what shares of clusters can be.
            told = {task["id"]: task["signal"] for family in event["families"] for task in family["tasks"] if "signal" in task}
            self.hold("signal", "one a task", told.keys() == {task for own in families.values() for task in own})
            size = min(256, len(told))
            clusters = math.fsum(1 / (share * size) for share in told.values())
            whole = len(told) > 256 or abs(clusters - round(clusters)) < 1e-6
            self.hold("signal", "shares of whole clusters", whole and all(0 < share <= 1 for share in told.values()))
            return told
        if kind == "file":
            # A file's rewards are its own matter: they are held to what it may give, and to tasks that are there.
            told = {task["id"]: task["signal"] for family in event["families"] for task in family["tasks"] if "signal" in task}
            self.hold("signal", "from -10 to 10", all(-10 <= reward <= 10 for reward in told.values()))
            return told
        found = {}
        for own in families.values():
            for task in own:
                signal = f.signal_of(kind, [t["verdict"]["reward"] for t in groups[task] if r.is_judged(t)])
                if signal is not None:
                    found[task] = signal
        return found

    def scored_of(self, name, pooled, scores, mixed):
        own = {id_: ids for id_, ids in self.epoch["calibrated"] if self.epoch["groups"][ids[0]][0]["domain"] == name}
        counts = [pooled[id_] for id_ in own]
        single = all(len(ids) < 2 for ids in own.values())
        base = [count for count, id_ in zip(mixed, self.epoch["mixed"]) if self.epoch["groups"][id_][0]["domain"] == name]
        some = [scores[id_] for id_ in own if id_ in scores]
        return {
            "families": len(own),
            "successRate": [*total(counts), f.worth_of_few(counts, 0.7 if single else 0.35)],
            "baseSuccessRate": [*total(base), f.worth_of_few(base, 0.7)],
            "inBand": f.mean(inside for _, _, inside in some) or 0,
            "environmentReward": f.mean(mean[1] for mean, _, _ in some if mean[1] is not None),
            "familiesKept": sum(mean[2] > 0 for mean, _, _ in some),
            "weight": math.fsum(weight for _, weight, _ in some),
        }


def by_task(tasks, curriculum):
    """{task: R_env} of kinds that are measured task by task, averaged over the scope; None of those on p̂ alone."""
    if f.on_rate(0.5, curriculum) is not None:
        return None
    own = {task: f.on_task(k, n, signal, curriculum) for _, task, k, n, signal in tasks}
    if curriculum["scope"] == "task":
        return own
    scopes = {}
    for id_, task, *_ in tasks:
        scopes.setdefault(id_ if curriculum["scope"] == "family" else None, []).append(task)
    return {
        task: f.mean(own[one] for one in some if own[one] is not None) for some in scopes.values() for task in some
    }


def total(counted):
    counted = list(counted)
    return sum(k for k, _ in counted), sum(n for _, n in counted)


def r_families(ids, groups):
    """[(family, its tasks)] in order of their first."""
    families = {}
    for id_ in ids:
        families.setdefault(groups[id_][0]["family"], []).append(id_)
    return list(families.items())


def in_order(own, told):
    """Counts in the order of the event's tasks, and then those that it leaves out."""
    ids = [task["id"] for task in told if task["id"] in own]
    return {id_: own[id_] for id_ in ids + [id_ for id_ in own if id_ not in ids]}


def is_spent(budget, spent):
    return budget is not None and spent >= budget


def variation(task):
    return task["id"].split(".a")[0]


def tries(task):
    return int(task["id"].split(".a")[1]) if ".a" in task["id"] else 1


def value_at(record, field):
    """The value at dotted names and places; None where there is none."""
    for name in field.split("."):
        if isinstance(record, list) and name.isdigit() and int(name) < len(record):
            record = record[int(name)]
        elif isinstance(record, dict):
            record = record.get(name)
        else:
            return None
    return record


def alike(expected, found, tolerance):
    if isinstance(expected, dict) and isinstance(found, dict):
        return expected.keys() == found.keys() and all(alike(expected[k], found[k], tolerance) for k in expected)
    if isinstance(expected, list) and isinstance(found, list):
        return len(expected) == len(found) and all(alike(a, b, tolerance) for a, b in zip(expected, found))
    numbers = (int, float)
    if isinstance(expected, numbers) and isinstance(found, numbers):
        return abs(expected - found) <= tolerance * max(1, abs(expected))
    return expected == found

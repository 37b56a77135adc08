"""The rest of an epoch: both updates, pools, validation, benchmark, summary."""

import formulas as f
import late
import records as r
import replay


class Run(replay.Replay):
    # (2) Updates

    def groups_of(self, ids):
        """Counts of groups by what they teach, and the judged attempts of those that do."""
        kinds = {"solved": 0, "hopeless": 0, "trained": 0, "broken": 0}
        teachable = []
        for traces in (traces for id_ in ids for _, traces in self.epoch["parts"][id_]):
            judged = [t for t in traces if r.is_judged(t)]
            if len(judged) < 2:
                kinds["broken"] += 1
            elif len({t["verdict"]["reward"] for t in judged}) > 1:
                kinds["trained"] += 1
                teachable.append(judged)
            else:
                kinds["solved" if all(t["verdict"]["success"] for t in judged) else "hopeless"] += 1
        return kinds, teachable

    def round_of(self, event):
        """Tasks of the round that an update learns from."""
        number = event.get("round", 1) - 1
        self.compare("round", True, number == len(self.epoch["agent"]))
        self.epoch["agent"].append(event)
        return self.epoch["rounds"][number][1] if number < len(self.epoch["rounds"]) else []

    def check_groups(self, kinds):
        for kind, count in kinds.items():
            self.check("groups." + kind, count)
        if "stale" in self.event["groups"]:
            self.check("groups.stale", 0)

    def on_agent_updated(self, event):
        ids = self.round_of(event)
        kinds, teachable = self.groups_of(ids)
        self.check_groups(kinds)
        self.next_version("agent")
        if "job" in event:
            return
        settings, longest = self.now["agent"], self.now["rollouts"].get("maxSequence")
        units = [
            [s for t in group for s in t["sequences"] if longest is None or len(s["tokens"]) <= longest] for group in teachable
        ]
        units = [unit for unit in units if unit]
        learned = [sequence for unit in units for sequence in unit]
        self.check("sequences", len(learned))
        self.check("tokens", sum(map(r.said, learned)))
        count = len(units) if settings.get("minibatchUnit") == "task" else len(learned)
        self.check("steps", settings["passes"] * -(-count // settings["minibatch"]))
        if "measured" in event:
            everything = [s for id_ in ids for t in self.epoch["groups"][id_] for s in t["sequences"]]
            self.check("measured", {"sequences": len(everything), "tokens": sum(len(s["logprobs"]) for s in everything)})
        self.compare("logprobs of all sampled tokens", [], [s for s in learned if r.said(s) != len(s["logprobs"])])
        kl = event["kl"]
        # ½ mean d² is never less than ½ (mean d)².
        self.hold("kl.sampleTrainV2", "at least ½·sampleTrainV1²", kl["sampleTrainV2"] >= kl["sampleTrainV1"] ** 2 / 2 - 1e-12)
        self.hold("kl.prePost", "at least 0", kl["prePost"] is None or kl["prePost"] >= 0)

    def on_agent_skipped(self, event):
        kinds, teachable = self.groups_of(self.round_of(event))
        self.check_groups(kinds)
        longest = self.now["rollouts"].get("maxSequence")
        some = [s for g in teachable for t in g for s in t["sequences"] if longest is None or len(s["tokens"]) <= longest]
        if not self.is_job("agent"):
            self.hold("reason", "an update, as there are groups that teach", not some)

    def is_job(self, role):
        return self.now["endpoints"][role]["kind"] == "verl"

    def next_version(self, role):
        """Both policies count their updates."""
        number = int(self.versions[role]["name"].split("@")[1]) + 1
        self.check("version.name", f"{role}@{number}")
        self.versions = {**self.versions, role: self.event["version"]}

    def regression_set(self, epoch):
        """Kept texts of the buffer with their weights, by the settings of now: [(family, weight)]."""
        curriculum, environment = self.now["curriculum"], self.now["environment"]
        buffer = 1 if f.update_of(environment) == "grpo" else environment["bufferEpochs"]
        kept = []
        for e in range(max(1, epoch - buffer + 1), epoch + 1):
            filter_ = "off" if e <= curriculum["warmupEpochs"] else curriculum["filter"]
            written = {task["id"]: task for task in late.texts(self, e, epoch)}
            families = self.scored[e]["families"] if e in self.scored else []
            rewards = replay.by_task(
                [
                    (family["id"], task["id"], task["successes"], task["attempts"], task.get("signal"))
                    for family in families
                    for task in family["tasks"]
                ],
                curriculum,
            )
            for family in families:
                for task in family["tasks"]:
                    p = family["estimate"]
                    if curriculum["scope"] == "task":
                        p = f.deciding(task["successes"], task["attempts"], curriculum["estimate"])
                    earned = f.on_rate(p, curriculum) if rewards is None else rewards[task["id"]]
                    share = f.keep(p, curriculum, filter_) if task["attempts"] and earned is not None else 0
                    if share and "generation" in written.get(task["id"], {}):
                        kept.append((e, family["id"], written[task["id"]], earned, share))
        shares = f.shares_of([one[3:] for one in kept], curriculum, environment)
        newest = {family for e, family, *_ in kept if e == epoch}
        self.kept = kept
        return shares, {family for _, family, *_ in kept}, newest

    def texts_compared(self, epoch):
        """Texts of GRPO: [(family, tokens, spans, R, kept share)] of an epoch, and how many of them became no task."""
        settings = self.now["environment"]
        texts = [(task["id"], task["family"], task["generation"], earned, share) for _, _, task, earned, share in self.kept]
        invalid = [
            (task["id"], task["family"], task["generation"], settings["invalidReward"], 1)
            for task in late.texts(self, epoch, epoch)
            if task["status"] != "accepted" and "generation" in task and settings["invalidReward"] is not None
        ]
        both = sorted(texts + invalid, key=lambda one: one[0])
        return [(family, g["tokens"], g["spans"], earned, share) for _, family, g, earned, share in both], len(invalid)

    def check_compared(self, epoch):
        texts, invalid = self.texts_compared(epoch)
        found, groups, alike = f.compared([one[:4] for one in texts], self.now["environment"]["advantageNorm"])
        self.check("compared", {"groups": groups, "alike": alike, "texts": len(texts), "invalid": invalid})
        sizes = [share * max(map(abs, own), default=0) for own, (*_, share) in zip(found, texts)]
        self.check("effectiveSampleSize", f.sample_size(sizes))
        return len(texts)

    def on_environment_updated(self, event):
        settings = self.now["environment"]
        shares, families, newest = self.regression_set(event["epoch"])
        shares = [share for share in shares if share > 0]
        self.check("families", len(families))
        if f.update_of(settings) == "grpo":
            shares = [1] * self.check_compared(event["epoch"])
        else:
            self.check("compared", None)
            self.check("effectiveSampleSize", f.sample_size(shares))
        self.hold("update", "one that learns", f.update_of(settings) != "none")
        self.hold("families", f"at least minFamilies = {settings['minFamilies']}", len(families) >= settings["minFamilies"])
        self.hold("families", "one of this epoch", bool(newest))
        self.next_version("environment")
        self.epoch["environment"] = event
        if "job" in event:
            return
        steps, size, anchored = event["steps"], settings["minibatch"], f.rounded(settings["minibatch"] * settings["baseShare"])
        # The way back has minibatches of the epoch's texts, and one more that clears the momentum.
        back = event.get("back", {"steps": 0})["steps"]
        most = steps * max(size, min(len(shares), size) + anchored) + (back + 1 if back else 0) * size
        self.hold("sequences", f"at most {most}", 0 < event["sequences"] <= most)
        if "measured" in event:
            written = [t["generation"] for t in self.run.tasks(event["epoch"], event["epoch"]) if "generation" in t]
            self.check("measured", {"sequences": len(written), "tokens": sum(len(g["logprobs"]) for g in written)})
        update, total, why = event["kl"]["update"], settings["totalKlCap"], event["stoppedBy"]
        self.hold("kl.update", "at least 0", update >= 0)
        capped = settings["updateKlCap"] is not None and update > settings["updateKlCap"]
        if not back:
            self.hold("stoppedBy", "update-cap, and only past updateKlCap", capped == (why == "update-cap"))
        elif total is not None:
            self.hold("back", f"from past totalKlCap, to it or in 8 steps", event["back"]["from"] > total and (event["kl"]["initial"] <= total or back == 8))
        if total is not None and not back and not capped and event["kl"]["initial"] > total:
            self.check("stoppedBy", "total-cap")
        if back:
            self.hold("stoppedBy", "a cap", why != "end")
        self.hold("back", "none without a cap", back == 0 or total is not None)
        self.hold("stoppedBy", "no cap that is not set", why != "total-cap" or total is not None)
        self.hold("steps", f"{settings['steps']} or a cap", 0 < steps <= settings["steps"] and (why != "end" or steps == settings["steps"]))

    def on_environment_skipped(self, event):
        settings = self.now["environment"]
        _, families, newest = self.regression_set(event["epoch"])
        scored = len(self.epoch["scored"]["families"])
        self.check("families", scored)
        self.check("familiesKept", len(newest))
        past = settings["totalKlCap"] is not None and "totalKlCap" in event["reason"]
        if f.update_of(settings) == "none":
            return
        if f.update_of(settings) == "grpo" and newest and not past:
            texts, _ = self.texts_compared(event["epoch"])
            found, *_ = f.compared([one[:4] for one in texts], settings["advantageNorm"])
            past = not any(share * one for own, (*_, share) in zip(found, texts) for one in own)
        self.hold("reason", "an update", scored == 0 or not newest or len(families) < settings["minFamilies"] or past)

    # (3) Pools, measurements, the epoch in one record

    def on_pools_grown(self, event):
        epoch = event["epoch"]
        valid = {
            id_: sum(map(r.is_poolable, traces)) for id_, traces in self.epoch["groups"].items()
        }
        added = [
            id_
            for id_, parts in self.epoch["parts"].items()
            if any(written_in(self.run, id_) == at and any(map(r.is_poolable, traces)) for at, traces in parts)
        ]
        self.pool[epoch] = added
        self.pools["tasks"] += len(added)
        self.pools["traces"] += sum(valid.values())
        weighted = sum(task["weight"] > 0 for family in self.epoch["scored"]["families"] for task in family["tasks"])
        self.pools["environment"] += weighted
        self.check("agent", {
            "addedTasks": len(added),
            "addedTraces": sum(valid.values()),
            "tasks": self.pools["tasks"],
            "traces": self.pools["traces"],
        })
        self.check("environment", {"added": weighted, "size": self.pools["environment"]})
        self.check_domains(lambda name: self.pools_of(name, valid, added))

    def pools_of(self, name, valid, added):
        of = {id_: traces[0].get("domain") for id_, traces in self.epoch["groups"].items()}
        tasks = sum(of[id_] == name for id_ in added)
        traces = sum(count for id_, count in valid.items() if of[id_] == name)
        families = [family for family in self.epoch["scored"]["families"] if family["domain"] == name]
        weighted = sum(task["weight"] > 0 for family in families for task in family["tasks"])
        sizes = self.pools.setdefault(name, {"tasks": 0, "traces": 0, "environment": 0})
        for field, more in (("tasks", tasks), ("traces", traces), ("environment", weighted)):
            sizes[field] += more
        return {
            "agent": {"addedTasks": tasks, "addedTraces": traces, "tasks": sizes["tasks"], "traces": sizes["traces"]},
            "environment": {"added": weighted, "size": sizes["environment"]},
        }

    def measured(self, purpose, event):
        """What validation and benchmark have alike."""
        traces = self.run.traces(purpose, event["epoch"])
        self.check("version", self.versions["agent"]["name"])
        self.check("tokens", sum(map(r.all_tokens, traces)))
        self.check_billed(sum(map(r.answer_tokens, traces)), sum(map(r.sent_for_trace, traces)))
        self.check("answerLength", f.mean(map(r.answer_tokens, traces)))
        self.compare("versions of the attempts", [], sorted({t["version"] for t in traces} - {event["version"]}))
        return traces

    def check_outcomes(self, groups, tasks):
        """Tasks stand in their split's order, which the records do not tell: how often each outcome is there, they do."""
        told = [("-" if n == 0 else "1" if 2 * k > n else "0") for k, n in groups]
        expected = sorted(told + ["-"] * (tasks - len(told)))
        self.compare("outcomes, sorted", "".join(expected), "".join(sorted(self.event["outcomes"])))

    def on_validated(self, event):
        groups = [r.counts(traces) for traces in r.by_task(self.measured("validation", event)).values()]
        self.check_rate("successRate", *replay.total(groups), f.worth_of_few(groups, 0.7))
        # Journals of older versions do not tell it.
        if "truncated" in event:
            self.check("truncated", sum(t["stopReason"] == "length" for t in self.run.traces("validation", event["epoch"])))
        self.check_outcomes(groups, self.held_out())
        # Journals of older versions do not tell it, nor do those with one attempt a task.
        if "tries" in event:
            missing = [(0, 0)] * (self.held_out() - len(groups))
            self.compare("tries, sorted", sorted([list(one) for one in [*groups, *missing]]), sorted(event["tries"]))
        self.check_domains(self.validated_of)
        self.epoch["validated"] = event
        self.validations[event["epoch"]] = event["successRate"], self.measured_since["validation"]
        self.spend(event)

    def held_out(self):
        """Tasks of the split. A branch that measures more of them attempts as many as there are, which no record says."""
        started, wanted, first = self.run.events[0]["validation"], self.now["validation"]["tasks"], self.run.lineage[-1]
        if started < first.experiment["validation"]["tasks"] or wanted <= started:
            return min(started, wanted)
        return min(max(started, len(self.event["outcomes"])), wanted)

    def validated_of(self, name):
        own = [t for t in self.run.traces("validation", self.event["epoch"]) if t["domain"] == name]
        groups = [r.counts(traces) for traces in r.by_task(own).values()]
        told = self.run.events[0] if self.held_out() == self.run.events[0]["validation"] else self.event
        measured = next(one for one in told["domains"] if one["domain"] == name)
        return {
            "tasks": measured["validation" if told is self.run.events[0] else "tasks"],
            "successRate": [*replay.total(groups), f.worth_of_few(groups, 0.7)],
            "answerLength": f.mean(map(r.answer_tokens, own)),
            **({"truncated": sum(t["stopReason"] == "length" for t in own)} if "truncated" in self.event else {}),
        }

    def on_evaluated(self, event):
        traces = self.measured("benchmark", event)
        judged = [r.counts(some) for some in r.by_task(traces).values()]
        judged += [(0, 0)] * (event["tasks"] - len(judged))
        groups, asked = judged, self.now["evaluation"]["attempts"]
        if "judged" in event:
            # Authors count as wrong what was not answered, and what could not be judged.
            groups = [(successes, asked) for successes, _ in judged]
            successes, attempts = replay.total(judged)
            self.check("judged", {"attempts": attempts, "successes": successes})
        # Journals of older versions do not tell it.
        if "truncated" in event:
            self.check("truncated", sum(t["stopReason"] == "length" for t in traces))
        self.check("checkerErrors", sum(not r.is_judged(t) for t in traces))
        self.check("attempts", asked)
        for i, k in enumerate(sorted({1, asked})):
            enough = [f.pass_at_k(n, c, k) for c, n in groups if n >= k]
            self.check(f"pass.{i}.k", k)
            self.check(f"pass.{i}.tasks", len(enough))
            self.check(f"pass.{i}.value", f.mean(enough))
            low, high = f.wilson(sum(enough), len(enough), len(enough))
            self.check(f"pass.{i}.low", low)
            self.check(f"pass.{i}.high", high)
        told = [(c, n if own else 0) for (c, n), (_, own) in zip(groups, judged)]
        self.check_outcomes(told, event["tasks"])
        self.epoch["evaluated"] = event
        self.spend(event)

    def on_epoch_finished(self, event):
        self.remember()
        epoch, summary = self.epoch, event["summary"]
        scored, generated = epoch["scored"], epoch.get("generated")
        rounds = [told for told, _ in epoch["rounds"]]
        updated = [told for told in epoch["agent"] if told["type"] == "agent.updated"]
        phases = [generated, *rounds, *epoch["agent"], epoch.get("environment"), epoch.get("validated"), epoch.get("evaluated")]
        phases = [phase for phase in phases if phase is not None]
        expected = {
            "epoch": event["epoch"],
            **{name: scored[name] for name in ("successRate", "inBand", "environmentReward", "familiesKept", "effectiveSampleSize")},
            "families": len(scored["families"]),
            "kl": {
                "agent": updated[-1]["kl"]["reference"] if updated else None,
                "environment": epoch["environment"]["kl"]["initial"] if "environment" in epoch else None,
            },
            "taskLength": generated["taskLength"] if generated else None,
            "answerLength": f.mean(epoch.get("answers", [])),
            "rejected": generated["rejected"] if generated else {},
            "rollouts": sum(told["rollouts"] + fell_out(told)["rollouts"] for told in rounds),
            "tokens": tokens_of([phase for phase in phases if not phase["type"].endswith(".updated") and "tokens" in phase]),
            "seconds": summary["seconds"],
        }
        if "validated" in epoch:
            expected["validation"] = epoch["validated"]["successRate"]
        if "billed" in summary:
            expected["billed"] = sum(map(billed, phases))
        # Journals of older versions do not tell it.
        if "evaluated" in epoch and "evaluated" in summary:
            expected["evaluated"] = epoch["evaluated"]["tasks"] * self.now["evaluation"]["attempts"]
        if self.domains:
            names = ("domain", "successRate", "inBand", "environmentReward", "familiesKept", "families")
            expected["domains"] = [{name: own[name] for name in names} for own in scored["domains"]]
            for own, measured in zip(expected["domains"], epoch.get("validated", {}).get("domains", [])):
                own["validation"] = measured["successRate"]
        for name, value in expected.items():
            self.check("summary." + name, value)
        # An epoch that is sampled early begins to be before it starts.
        early = ("tasks.generated", "rollouts.finished") if self.staleness() else ()
        self.check_seconds(summary["seconds"], [phase.get("seconds", 0) for phase in phases if phase["type"] not in early])
        self.compare("summary's fields", sorted(expected), sorted(summary))
        self.summaries.append(summary)
        self.spent["seconds"] += summary["seconds"]
        self.epoch = {}

    def check_seconds(self, seconds, phases):
        """Between its longest phase and what passed on the clock; older releases summed phases that ran side by side."""
        clock = (self.event["at"] - self.epoch["started"]["at"]) / 1000
        inside = max(phases, default=0) - 1e-3 <= seconds <= clock + 1e-3
        self.hold("summary.seconds", f"at most {clock}", inside or abs(seconds - sum(phases)) < 1e-6)

    def spend(self, event):
        self.before += event["seconds"] if event["epoch"] == 0 else 0
        self.spent["tokens"] += (event["tokens"] or 0) + fell_out(event)["tokens"]
        self.spent["rollouts"] += event.get("rollouts", 0) + fell_out(event)["rollouts"]

    def on_tasks_generated(self, event):
        super().on_tasks_generated(event)
        self.spend(event)

    def on_rollouts_finished(self, event):
        super().on_rollouts_finished(event)
        self.spend(event)


def written_in(run, id_):
    """The epoch that wrote a task; None of a given one."""
    task = run.task(id_, 0)
    return task["epoch"] if task is not None and task.get("origin") == "generated" else None


def tokens_of(phases):
    """None where a job did not tell those of its attempts."""
    if any(phase["tokens"] is None for phase in phases):
        return None
    return sum(phase["tokens"] + fell_out(phase)["tokens"] for phase in phases)


def billed(phase):
    """Tokens that a phase is billed for; those of attempts ended under way in proportion."""
    if "sampled" not in phase:
        return 0
    by_agent = sum(phase.get("byAgent", {}).values())
    out = phase.get("dropped", {"tokens": 0, "sampled": 0, "sent": 0, "likely": 0})
    grown = out["likely"] / max(1, (phase["tokens"] or 0) + out["tokens"])
    return by_agent + sum(own + f.rounded(own * grown) for own in (phase["sampled"] + out["sampled"], phase["sent"] + out["sent"]))


def fell_out(event):
    """What the groups cost that fell out (`rollouts.spare`)."""
    out = event.get("dropped", {"attempts": 0, "tokens": 0, "likely": 0})
    return {"rollouts": out["attempts"], "tokens": out["tokens"] + out["likely"]}

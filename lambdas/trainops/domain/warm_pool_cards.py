"""The messages about one warm pool: that it will end, that it ended and what that avoids, that it is held or refused.

`job_notification` makes them from the ledger's item; channels give the card its shape.
"""

from collections.abc import Iterator
from datetime import datetime, tzinfo

from trainops.domain.cards import Card, Link, Tone
from trainops.domain.job_endings import Statement
from trainops.domain.job_facts import Fact, owner_text
from trainops.domain.links import job_page
from trainops.domain.warm_pool_costs import release_command
from trainops.domain.warm_pool_figures import avoided, retained
from trainops.domain.warm_pool_holds import HOLD_TAG, hold_of
from trainops.domain.warm_pools import News, NewsKind, PoolRecord
from trainops.domain.wording import UNKNOWN, duration_text, instances_text, money_text, one_line, time_text, until_text


def pool_card(pool: PoolRecord, key: str, item: News, now: datetime, zone: tzinfo) -> Card:
    """The card for one thing to say about a pool; `key` is its key in the ledger."""
    statement = _statement(pool, item, now, zone)
    page = job_page(pool.key.arn, pool.name)
    return Card(
        key=f"{pool.key.text}|WarmPool/{key}",
        job_name=pool.name,
        tone=statement.tone,
        title=f"Warm pool of {pool.name} {statement.words}",
        summary=statement.summary,
        cause=statement.cause,
        facts=tuple(_facts(pool, now, zone)),
        lines=tuple(statement.lines),
        links=(Link("Job", page),) if page else (),
        context=tuple(_small_print(pool, item, now, zone)),
        team=pool.team,
        owner=pool.owner.name,
        thread=pool.key.text,
    )


def _statement(pool: PoolRecord, item: News, now: datetime, zone: tzinfo) -> Statement:
    if item.kind is NewsKind.HELD:
        return _held(pool, item)
    if item.kind is NewsKind.ENDING:
        return _ending(pool, now, zone)
    return _refused(pool, now, zone) if pool.refusal else _ended(pool)


def _ending(pool: PoolRecord, now: datetime, zone: tzinfo) -> Statement:
    ends = until_text(pool.look_at, now, zone) if pool.look_at else "soon"
    what = instances_text(pool.instance_count, pool.instance_type)
    summary = f"Its job ended {duration_text(now - pool.ended)} ago, and no job has taken {what} since."
    return Statement(f"ends {ends}", Tone.NEUTRAL, summary, lines=(f"To keep it: {_hold(pool)}",))


def _ended(pool: PoolRecord) -> Statement:
    saved = avoided(pool)
    kept = duration_text(pool.released - pool.ended if pool.released else None)
    avoids = f"avoids {money_text(saved.usd)}" if saved and saved.usd is not None else "what that avoids is unknown"
    summary = f"It was idle for {kept} of the {duration_text(pool.asked)} asked for. Ending it {avoids}."
    return Statement("was ended", Tone.GOOD, summary)


def _refused(pool: PoolRecord, now: datetime, zone: tzinfo) -> Statement:
    until = f"until about {until_text(pool.expires, now, zone)}" if pool.expires > now else "until when is not known"
    summary = f"It stays and is billed, {until}."
    step = f"To end it now: {release_command(pool.key.arn, pool.name)}"
    return Statement("could not be changed", Tone.BAD, summary, pool.refusal, (step,))


def _held(pool: PoolRecord, item: News) -> Statement:
    hold = hold_of(pool.tags, pool.ended, pool.expires - pool.ended)
    readable = hold is not None and hold.until is not None
    words = "is held" if readable else "has a hold that cannot be read"
    lines = () if readable else (f"To hold it: {_hold(pool)}",)
    summary = f"{item.reason[:1].upper()}{item.reason[1:]}."
    return Statement(words, Tone.NEUTRAL if readable else Tone.WARNING, summary, lines=lines)


def _facts(pool: PoolRecord, now: datetime, zone: tzinfo) -> Iterator[Fact]:
    yield "Owner", owner_text(pool.owner)
    yield "Warm pool", instances_text(pool.instance_count, pool.instance_type)
    yield "Idle since", time_text(pool.ended, now, zone)
    yield "Asked for", duration_text(pool.asked)
    if not pool.open:
        cost = retained(pool).usd
        yield "Idle cost", money_text(cost) if cost is not None else f"{UNKNOWN} (no price for {pool.instance_type})"


def _small_print(pool: PoolRecord, item: News, now: datetime, zone: tzinfo) -> Iterator[str]:
    parts = pool.key.arn.split(":")
    team = () if pool.team in {"default", "-"} else (f"team {one_line(pool.team)}",)
    yield " \N{MIDDLE DOT} ".join((time_text(item.at, now, zone), *team, f"account {parts[4]}", parts[3]))
    if pool.plan and item.kind is not NewsKind.HELD:
        yield f"Why: {pool.plan.reason}."


def _hold(pool: PoolRecord) -> str:
    """The AWS CLI call that tags a job so that its pool is held as long as was asked for."""
    until = f"{pool.expires:%Y-%m-%dT%H:%MZ}"
    region = pool.key.arn.split(":")[3]
    return f"aws sagemaker add-tags --region {region} --resource-arn {pool.key.arn} --tags Key={HOLD_TAG},Value={until}"

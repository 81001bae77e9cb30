"""Cards for the channels' tests: one that looks like real life, and any card at all."""

from typing import Any

from hypothesis import strategies as st

from trainops.domain.cards import Bar, Card, Link, Table, Tone

URL = "https://us-east-1.console.aws.amazon.com/sagemaker/home?region=us-east-1&x=1#/jobs/resnet-1"


def card(**fields: Any) -> Card:
    """A failed job's card."""
    known: dict[str, Any] = {
        "key": "arn|2026-03-02T09:00:00Z|Finished/Failed",
        "job_name": "resnet-1",
        "tone": Tone.BAD,
        "title": "resnet-1 failed: GPU out of memory",
        "summary": "The model and its batch do not fit into the GPU's memory.",
        "cause": "RuntimeError: CUDA out of memory",
        "facts": (("Owner", "vision-oncall (tag owner)"), ("Cost estimate", "$1.31")),
        "lines": ("Next: lower the batch size.", "It resumes from s3://acme/_a_/b_c/."),
        "links": (Link("Job", URL), Link("Logs", URL)),
        "context": ("Ended today 09:30 UTC",),
    }
    return Card(**{**known, **fields})


def any_card() -> st.SearchStrategy[Card]:
    """A card of arbitrary Unicode, lone surrogates included, some of it far beyond every limit."""
    characters = st.characters() | st.characters(categories=["Cs"]) | st.sampled_from("&<>`*_|\n\x00\u202e")
    text = st.text(characters, max_size=40) | st.text(characters, min_size=1, max_size=8).map(lambda s: s * 900)
    links = st.builds(Link, text, text | text.map(lambda tail: f"https://host/{tail}"))
    return st.builds(
        Card,
        key=text,
        job_name=text,
        tone=st.sampled_from(Tone),
        title=text,
        summary=text,
        cause=st.none() | text,
        log=st.none() | text | st.lists(text, max_size=30).map("\n".join),
        facts=st.lists(st.tuples(text, text), max_size=14),
        lines=st.lists(text, max_size=14),
        tables=st.lists(
            st.builds(Table, text, st.lists(st.builds(Bar, text, text, st.integers()), max_size=9)), max_size=4
        ),
        links=st.lists(links, max_size=14),
        context=st.lists(text, max_size=14),
    )

"""GetMetricData: metrics by their statistics, expressions over them, and SEARCH, in the order they need each other."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from local.metrics.expressions import Scope
from local.metrics.lines import Line, MathError, Value

Json = Mapping[str, Any]
SEARCH = re.compile(r"^\{(?P<namespace>\"[^\"]*\"|[^,}]*)(?P<dimensions>(?:,[^,}]+)*)\}\s*(?P<terms>.*)$", re.DOTALL)
TERM = re.compile(r"(?:(?P<name>[\w.]+|:\w+)\s*=\s*)?(?P<quote>\"?)(?P<text>[^\"\s=()]+)(?P=quote)")
LABEL = re.compile(r"\$\{(?:PROP\('Dim\.(?P<dimension>[^']+)'\)|(?P<word>LABEL|SUM|AVG|MAX|MIN|LAST))\}")


class Metrics(Protocol):
    """The stored metrics of one account and Region."""

    def line(self, metric: Json, statistic: str, period: int, asked: range) -> Line:
        """One metric's statistic by period; `metric` as in the API. Without data it has no points."""

    def listed(self) -> Iterable[tuple[str, str, Mapping[str, str]]]:
        """Namespace, name and dimensions of every metric."""


@dataclass
class Queries:
    """One request's MetricDataQueries over the seconds `asked`; results are computed once, when first needed."""

    metrics: Metrics
    queries: Sequence[Json]
    asked: range
    _open: set[str] = field(default_factory=set)
    _found: dict[str, Value] = field(default_factory=dict)

    def results(self) -> Iterator[tuple[Json, Line]]:
        """Each line that is to be returned, with its query; an array gives several. MathError for a wrong query."""
        for query in self.queries:
            if query.get("ReturnData", True):
                value = self[query["Id"]]
                if not isinstance(value, Line | list):
                    raise MathError(f"{query['Id']} must come to a time series or an array of them")
                lines = value if isinstance(value, list) else [value]
                yield from ((query, self._labelled(query, line, alone=len(lines) == 1)) for line in lines)

    def __getitem__(self, name: str) -> Value:
        if name not in self._found:
            if name in self._open:
                raise MathError(f"{name} depends on itself")
            self._open.add(name)
            self._found[name] = self._compute(next(query for query in self.queries if query["Id"] == name))
        return self._found[name]

    def _compute(self, query: Json) -> Value:
        if stat := query.get("MetricStat"):
            return self.metrics.line(stat["Metric"], stat["Stat"], int(stat["Period"]), self.asked)
        scope = Scope(_Named(self), _OnlyMetrics(self), self._search, self.asked)
        return scope.evaluate(query["Expression"])

    def _search(self, text: str, statistic: str, period: int) -> list[Line]:
        wanted = SearchText.of(text)
        metrics = sorted(
            (entry for entry in self.metrics.listed() if wanted.matches(*entry)), key=lambda e: (e[1], *e[2].items())
        )
        lines = [(self.metrics.line(_shape(*metric), statistic, period, self.asked), metric[1]) for metric in metrics]
        names = {name for _line, name in lines}
        return [replace(line, label=_search_label(line, name, alone=len(names) == 1)) for line, name in lines]

    def _labelled(self, query: Json, line: Line, *, alone: bool) -> Line:
        """The given label with its `${…}` filled in; of an array's line the line's own name is added."""
        given = query.get("Label") or ("" if not alone or query.get("MetricStat") else query["Id"])
        dynamic = LABEL.sub(lambda found: _property(found, line), given)
        if dynamic != given or alone:
            return replace(line, label=dynamic or line.label)
        return replace(line, label=f"{given} {line.label}".strip())


@dataclass(frozen=True)
class SearchText:
    """`{Namespace,Dimension,…} terms`: exactly these dimensions, and every term found."""

    namespace: str
    dimensions: frozenset[str]
    terms: tuple[tuple[str, str, bool], ...]

    @classmethod
    def of(cls, text: str) -> "SearchText":
        """Read a search; MathError for what is not known here (OR, NOT, brackets, searches without a schema)."""
        found = SEARCH.match(text.strip())
        if found is None or re.search(r"\b(OR|NOT)\b|[()]", found["terms"]):
            raise MathError(f"this search is not known here: {text}")
        dimensions = frozenset(name.strip().strip('"') for name in found["dimensions"].split(",") if name.strip())
        terms = TERM.finditer(re.sub(r"\bAND\b", " ", found["terms"]))
        return cls(found["namespace"].strip().strip('"'), dimensions,
                   tuple((term["name"] or "", term["text"], bool(term["quote"])) for term in terms))  # fmt: skip

    def matches(self, namespace: str, name: str, dimensions: Mapping[str, str]) -> bool:
        """Whether a metric is among the results; a quoted term is the whole value, another one a part of it."""
        if namespace != self.namespace or frozenset(dimensions) != self.dimensions:
            return False
        properties = {**dimensions, "MetricName": name}
        return all(
            any(value == text if exact else text.lower() in value.lower()
                for key, value in properties.items() if wanted in ("", key))
            for wanted, text, exact in self.terms
        )  # fmt: skip


def _shape(namespace: str, name: str, dimensions: Mapping[str, str]) -> Json:
    pairs = [{"Name": key, "Value": value} for key, value in dimensions.items()]
    return {"Namespace": namespace, "MetricName": name, "Dimensions": pairs}


def _search_label(line: Line, name: str, *, alone: bool) -> str:
    """What tells the results apart: dimensions, and the metric's name when there are several."""
    return " ".join([*([] if alone and line.dimensions else [name]), *line.dimensions.values()])


def _property(found: re.Match[str], line: Line) -> str:
    if found["dimension"]:
        return line.dimensions.get(found["dimension"], "")
    values = [line.points[at] for at in sorted(line.points)]
    if found["word"] == "LABEL" or not values:
        return line.label
    numbers = {"SUM": sum(values), "AVG": sum(values) / len(values), "MAX": max(values), "MIN": min(values)}
    return f"{numbers.get(found['word'], values[-1]):g}"


class _Named(Mapping[str, Value]):
    """Results by id, computed when an expression names them."""

    def __init__(self, queries: Queries) -> None:
        self._queries = queries

    def __getitem__(self, name: str) -> Value:
        return self._queries[name]

    def __iter__(self) -> Iterator[str]:
        return (query["Id"] for query in self._queries.queries)

    def __len__(self) -> int:
        return len(self._queries.queries)

    def __contains__(self, name: object) -> bool:
        return any(query["Id"] == name for query in self._queries.queries)


class _OnlyMetrics(Mapping[str, Line]):
    """The metrics of the request without its expressions, which is what METRICS() means."""

    def __init__(self, queries: Queries) -> None:
        self._queries = queries

    def __getitem__(self, name: str) -> Line:
        found = self._queries[name]
        assert isinstance(found, Line)  # noqa: S101 - a MetricStat is one line
        return found

    def __iter__(self) -> Iterator[str]:
        return (query["Id"] for query in self._queries.queries if query.get("MetricStat"))

    def __len__(self) -> int:
        return sum(1 for _ in self)
